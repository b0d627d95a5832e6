// Offers the user all that is stored of them, as a file. [contract 22]
import { download } from '../download.ts';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton } from '../ui/submit-button.tsx';

export function OwnData() {
  const { t } = useI18n();
  return (
    <>
      <p class="hint">{t.account.dataMore}</p>
      <ActionButton
        class="secondary"
        action={() => download('/api/v1/account/export', 'application/json', 'vocabulary-quiz-account.json')}
      >
        {t.account.downloadData}
      </ActionButton>
    </>
  );
}
