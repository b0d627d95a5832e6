// A link, to copy or to hand to another program.
import { useI18n } from '../i18n/index.tsx';
import { CopyButton } from './copy-button.tsx';

/** @param props.text what is said with the link */
export function ShareButtons({ url, text }: { url: string; text: string }) {
  const { t } = useI18n();
  // Somebody who thinks better of it is no error.
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
