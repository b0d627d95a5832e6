// Changes the name that other players see.
import { useState } from 'preact/hooks';
import { useSession, useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { NameField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { SubmitButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { changeName } from './operations.ts';

export function NameForm() {
  const { t } = useI18n();
  const user = useUser();
  const { signedIn } = useSession();
  const [name, setName] = useState(user.name);
  const [isSaved, setSaved] = useState(false);
  const sending = useSubmit(async () => {
    setSaved(false);
    await changeName(name.trim());
    signedIn({ ...user, name: name.trim() });
    setSaved(true);
  });
  return (
    <form onSubmit={sending.submit}>
      <NameField value={name} onValue={setName} />
      {isSaved && <Notice kind="good">{t.account.saved}</Notice>}
      <SubmitButton class="secondary" sending={sending}>
        {t.account.saveName}
      </SubmitButton>
    </form>
  );
}
