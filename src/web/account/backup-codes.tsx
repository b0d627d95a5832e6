// The backup codes of the second factor. They are shown once, and each works once.
import { useI18n } from '../i18n/index.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Notice } from '../ui/notice.tsx';

export function BackupCodes({ codes, onSaved }: { codes: string[]; onSaved(): void }) {
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
        <button type="button" class="primary" onClick={onSaved}>
          {t.account.codesKept}
        </button>
      </div>
    </>
  );
}
