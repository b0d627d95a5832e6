// In the place of a screen that is being loaded, or can't be: the network is away, or the page of
// another release is here by now.
import { useI18n } from '../i18n/index.tsx';
import { Notice } from './notice.tsx';
import { Waiting } from './waiting.tsx';

export function OnItsWay({ hasFailed }: { hasFailed: boolean }) {
  const { t } = useI18n();
  if (!hasFailed) return <Waiting text={t.loading} />;
  return (
    <div class="stack">
      <Notice kind="error">{t.errors.OFFLINE}</Notice>
      <button type="button" class="primary" onClick={() => location.reload()}>
        {t.tryAgain}
      </button>
    </div>
  );
}
