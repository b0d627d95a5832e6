// Buttons that copy a link, or share it by the browser's dialog.
import { useI18n } from '../i18n/index.tsx';
import { CopyButton } from './copy-button.tsx';

/** @param props.text the message that goes with the link */
export function ShareButtons({ url, text }: { url: string; text: string }) {
  const { t } = useI18n();
  // The promise rejects if the user cancels.
  const share = () => navigator.share({ text, url }).catch(() => {});
  return (
    <>
      <CopyButton text={url} />
      {'share' in navigator && (
        <button type="button" class="secondary" onClick={share}>
          {t.share}
        </button>
      )}
    </>
  );
}
