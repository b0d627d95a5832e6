import { useState } from 'preact/hooks';
import { client } from '../api.ts';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { numberOptions, RadioGroup } from '../ui/choice.tsx';
import { Field } from '../ui/field.tsx';
import { SubmitButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { AnswerModeChoice, savedAnswerMode } from '../words/answer-mode.tsx';
import type { ChosenWords } from '../words/deck-choice.ts';
import { useQuestionCount } from '../words/question-count.tsx';
import { attemptChoices } from './attempt-choices.ts';
import { endOfDayIn, momentOf } from './local-time.ts';
import { TimeField } from './time-field.tsx';

const DEFAULT_DAYS = 7;

interface NewHomeworkFormProps {
  words: ChosenWords;
  /** The title that is proposed. */
  title: string;
}

export function NewHomeworkForm({ words, title: proposed }: NewHomeworkFormProps) {
  const { t } = useI18n();
  const [written, setTitle] = useState<string | null>(null);
  const [answerMode, setAnswerMode] = useState(savedAnswerMode);
  const [attempts, setAttempts] = useState(1);
  const [opensAt, setOpensAt] = useState('');
  const [closesAt, setClosesAt] = useState(() => endOfDayIn(DEFAULT_DAYS, Date.now()));
  const { questionCount, questionCountChoice } = useQuestionCount(words);
  const title = written ?? proposed;
  const sending = useSubmit(async () => {
    const opens = opensAt && momentOf(opensAt);
    const { code } = await client.createAssignment({
      ...words.selection,
      title,
      questionCount,
      answerMode,
      attempts,
      ...(opens && { opensAt: opens }),
      closesAt: momentOf(closesAt) ?? '',
    });
    navigate(`/homework/${code}`, { replace: true });
  });
  return (
    <form class="card" onSubmit={sending.submit}>
      <Field label={t.homework.name} name="title" autoComplete="off" value={title} onValue={setTitle} />
      {questionCountChoice}
      <AnswerModeChoice value={answerMode} onValue={setAnswerMode} />
      <RadioGroup
        label={t.homework.attemptsEach}
        isNumeric
        options={numberOptions(attemptChoices())}
        value={attempts}
        onValue={setAttempts}
      />
      <div class="times">
        <TimeField label={t.homework.from} value={opensAt} onValue={setOpensAt} isOptional />
        <TimeField label={t.homework.until} value={closesAt} onValue={setClosesAt} />
      </div>
      <SubmitButton sending={sending}>{t.homework.set}</SubmitButton>
    </form>
  );
}
