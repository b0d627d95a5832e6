// What others see of oneself.
import { useState } from 'preact/hooks';
import { NameField } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
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
  const { isBusy, error, submit } = useSubmit(async () => {
    setSaved(false);
    await changeName(name.trim());
    signedIn({ ...user, name: name.trim() });
    setSaved(true);
  });
  return (
    <form onSubmit={submit}>
      <NameField value={name} onValue={setName} />
      {error && <Notice kind="error">{error}</Notice>}
      {isSaved && <Notice kind="good">{t.account.saved}</Notice>}
      <button type="submit" class="secondary" aria-busy={isBusy}>
        {t.account.saveName}
      </button>
    </form>
  );
}
