// What others see of oneself.
import { useState } from 'preact/hooks';
import { NameField } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useSession, useUser } from '../session.tsx';
import { useSubmit } from '../use-submit.ts';
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
