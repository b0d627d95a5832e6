// The codes for the day on which the phone is lost: seen once, each good once.
import { CopyButton } from '../components/copy-button.tsx';
import { Notice } from '../components/notice.tsx';
import { useI18n } from '../i18n/index.tsx';

export function BackupCodes({ codes, onKept }: { codes: string[]; onKept(): void }) {
  const { t } = useI18n();
  return (
    <>
      <Notice kind="info">{t.account.backupCodesMore}</Notice>
      <ul class="backup-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <CopyButton text={codes.join('\n')} label={t.account.copyCodes} />
        <button type="button" class="primary" onClick={onKept}>
          {t.account.codesKept}
        </button>
      </div>
    </>
  );
}
