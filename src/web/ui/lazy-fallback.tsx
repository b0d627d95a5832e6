// The fallback of a screen that is being loaded. Loading fails if the network is away, or if another release
// has replaced the files; a reload helps in both cases.
import { useI18n } from '../i18n/index.tsx';
import { Notice } from './notice.tsx';
import { Spinner } from './spinner.tsx';

export function LazyFallback({ hasFailed }: { hasFailed: boolean }) {
  const { t } = useI18n();
  if (!hasFailed) return <Spinner text={t.loading} />;
  return (
    <div class="stack">
      <Notice kind="error">{t.errors.OFFLINE}</Notice>
      <button type="button" class="primary" onClick={() => location.reload()}>
        {t.tryAgain}
      </button>
    </div>
  );
}
