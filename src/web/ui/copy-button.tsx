// Copies or shares a text. Without https a page has no access to the clipboard API; then the text is copied from a
// hidden field.
import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { Button } from './button.tsx';
import { announce } from './page.tsx';

/** How long the button shows what has happened, ms. */
const SHOWN_FOR_MS = 2500;

/** @param label the button's label; the default says that it copies a link */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { t } = useI18n();
  const [result, setResult] = useState<'copied' | 'notCopied' | null>(null);
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(null), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const show = (shown: 'copied' | 'notCopied') => {
    setResult(shown);
    announce(t[shown]);
  };
  const copy = () => {
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject();
    written
      .catch(() => copyFromField(text))
      .then(
        () => show('copied'),
        () => show('notCopied'),
      );
  };
  return (
    <Button
      icon={result === 'copied' ? 'check' : 'copy'}
      label={result ? t[result] : (label ?? t.copy)}
      onClick={copy}
    />
  );
}

/** @throws if the browser refuses */
function copyFromField(text: string): void {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (!isCopied) throw new Error('not copied');
}

/**
 * Buttons that copy a link, or share it by the browser's dialog.
 * @param props.text the message that goes with the link
 */
export function ShareButtons({ url, text }: { url: string; text: string }) {
  const { t } = useI18n();
  // The promise rejects if the user cancels.
  const share = () => navigator.share({ text, url }).catch(() => {});
  return (
    <>
      <CopyButton text={url} />
      {'share' in navigator && <Button label={t.share} onClick={share} />}
    </>
  );
}
