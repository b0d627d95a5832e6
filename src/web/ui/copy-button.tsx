// Copies a text. Without https a page has no access to the clipboard API; then the text is copied from a
// hidden field.
import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { announce } from './announce.tsx';
import { Icon } from './icon.tsx';

const DONE_FOR_MS = 2500;

/** @param label the button's label; the default says that it copies a link */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { t } = useI18n();
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), DONE_FOR_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  const copy = () => {
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject();
    written
      .catch(() => copyFromField(text))
      .then(() => {
        setDone(true);
        announce(t.copied);
      });
  };
  return (
    <button type="button" class="secondary" onClick={copy}>
      <Icon name={isDone ? 'check' : 'copy'} /> {isDone ? t.copied : (label ?? t.copy)}
    </button>
  );
}

function copyFromField(text: string): void {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
