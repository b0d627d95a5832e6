import { useState } from 'preact/hooks';
import type { MAX_QUESTIONS } from '../../singleplayer/schema.ts';
import { client } from '../api.ts';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { numberOptions, RadioGroup } from '../ui/choice.tsx';
import { Field } from '../ui/field.tsx';
import { SubmitButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { AnswerModeChoice, savedAnswerMode } from '../words/answer-mode.tsx';
import { type ChosenWords, questionCounts } from '../words/deck-choice.ts';
import { attemptChoices } from './attempt-choices.ts';
import { endOfDayIn, momentOf } from './local-time.ts';
import { TimeField } from './time-field.tsx';

/** The service's limit. Its type is literal, so that a difference fails to compile. */
const MAX: typeof MAX_QUESTIONS = 50;
const DEFAULT_COUNT = 10;
const DEFAULT_DAYS = 7;

interface NewHomeworkFormProps {
  words: ChosenWords;
  /** The title that is proposed. */
  title: string;
}

export function NewHomeworkForm({ words, title: proposed }: NewHomeworkFormProps) {
  const { t } = useI18n();
  const [written, setTitle] = useState<string | null>(null);
  const [wanted, setWanted] = useState(DEFAULT_COUNT);
  const [answerMode, setAnswerMode] = useState(savedAnswerMode);
  const [attempts, setAttempts] = useState(1);
  const [opensAt, setOpensAt] = useState('');
  const [closesAt, setClosesAt] = useState(() => endOfDayIn(DEFAULT_DAYS, Date.now()));
  const counts = questionCounts(Math.max(1, words.questions), MAX);
  const questionCount = counts.includes(wanted) ? wanted : (counts.at(-1) ?? 1);
  const title = written ?? proposed;
  const sending = useSubmit(async () => {
    const opens = opensAt && momentOf(opensAt);
    const { code } = await client.createAssignment({
      ...{ ...words.selection, title, questionCount, answerMode, attempts },
      ...(opens && { opensAt: opens }),
      closesAt: momentOf(closesAt) ?? '',
    });
    navigate(`/homework/${code}`, { replace: true });
  });
  return (
    <form class="card" onSubmit={sending.submit}>
      <Field
        label={t.homework.name}
        name="title"
        autoComplete="off"
        value={title}
        onValue={setTitle}
      />
      <RadioGroup
        label={t.questions}
        isNumeric
        options={numberOptions(counts)}
        value={questionCount}
        onValue={setWanted}
      />
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
