// Changes the title, the times and the attempts of homework, or closes it now.
import { useState } from 'preact/hooks';
import type { Assignment, ChangeAssignmentRequest } from '../../client/types.ts';
import { client } from '../api.ts';
import { useI18n } from '../i18n/index.tsx';
import { numberOptions, RadioGroup } from '../ui/choice.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { SubmitButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { attemptChoices } from './attempt-choices.ts';
import { localTimeOf, momentOf } from './local-time.ts';
import { TimeField } from './time-field.tsx';

interface ChangeHomeworkProps {
  assignment: Assignment;
  onChanged(assignment: Assignment): void;
}

export function ChangeHomework({ assignment, onChanged }: ChangeHomeworkProps) {
  const { t } = useI18n();
  const { code, opensAt } = assignment;
  const [title, setTitle] = useState(assignment.title);
  const [closesAt, setClosesAt] = useState(localTimeOf(assignment.closesAt));
  const [attempts, setAttempts] = useState(assignment.attempts);
  const [isSaved, setSaved] = useState(false);
  const change = async (request: ChangeAssignmentRequest) => {
    setSaved(false);
    const changed = await client.updateAssignment(code, request);
    setClosesAt(localTimeOf(changed.closesAt));
    setSaved(true);
    onChanged(changed);
  };
  const saving = useSubmit(() =>
    change({
      ...(title !== assignment.title && { title }),
      ...(attempts !== assignment.attempts && { attempts }),
      ...(closesAt !== localTimeOf(assignment.closesAt) && { closesAt: momentOf(closesAt) ?? '' }),
    }),
  );
  const closing = useSubmit(() => change({ closesAt: new Date().toISOString() }));
  const now = new Date().toISOString();
  const isOpen = opensAt < now && now < assignment.closesAt;
  return (
    <form onSubmit={saving.submit}>
      <Field label={t.homework.name} name="title" autoComplete="off" value={title} onValue={setTitle} />
      <TimeField label={t.homework.until} value={closesAt} onValue={setClosesAt} />
      <RadioGroup
        label={t.homework.attemptsEach}
        isNumeric
        options={numberOptions(attemptChoices(assignment.attempts))}
        value={attempts}
        onValue={setAttempts}
      />
      {isSaved && <Notice kind="good">{t.lists.saved}</Notice>}
      <SubmitButton sending={saving}>{t.homework.save}</SubmitButton>
      {closing.error && <Notice kind="error">{closing.error}</Notice>}
      {isOpen && (
        <ConfirmButton
          label={t.homework.close}
          class="secondary"
          question={t.homework.closeAsk}
          consequence={t.homework.closeMore}
          onConfirmed={closing.submit}
        />
      )}
    </form>
  );
}
