// Buttons that speak a word, or all words from now on. Without a voice for its language they are not there.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { Button } from '../ui/button.tsx';
import { load, save } from '../ui/storage.ts';

/** Speaks the word while the focus is in the same section, or nowhere. [WCAG 2.1.4] */
const SHORTCUT = 'l';

export function Listen({ text, lang }: { text: string; lang: string | undefined }) {
  const { t } = useI18n();
  const voice = useVoice(lang);
  const [isOn, setOn] = useState(() => load<boolean>('device', KEY) === true);
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (voice && isOn) speak(text, voice);
  }, [voice, text, isOn]);
  useEffect(() => {
    if (!voice) return;
    const pressed = (event: KeyboardEvent) => {
      if (isMeantHere(event, shown.current?.closest('section'))) speak(text, voice);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [voice, text]);
  if (!voice) return null;
  const toggle = () => {
    save('device', KEY, !isOn || null);
    setOn(!isOn);
  };
  return (
    <div ref={shown} class="listen row centered">
      <Button
        class="quiet"
        icon="sound"
        label={t.typed.listen}
        aria-keyshortcuts={SHORTCUT}
        onClick={() => speak(text, voice)}
      />
      <Button
        class="quiet"
        icon={isOn ? 'check' : 'cross'}
        label={t.typed.readAloud}
        aria-pressed={isOn}
        onClick={toggle}
      />
    </div>
  );
}

function isMeantHere(event: KeyboardEvent, section: Element | null | undefined): boolean {
  const { target, key } = event;
  if (key.toLowerCase() !== SHORTCUT || event.repeat) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (!(target instanceof Element) || target.closest('dialog, input, select, textarea')) return false;
  return target === document.body || section?.contains(target) === true;
}

/** Whether words are read without a press of the button, on this device. */
const KEY = 'read-aloud';

/** @returns the device's own voice for a language, which sends the text to no service; null if there is none, or while the browser loads its voices */
function useVoice(language: string | undefined): SpeechSynthesisVoice | null {
  const [voice, setVoice] = useState<SpeechSynthesisVoice | null>(null);
  useEffect(() => {
    if (!('speechSynthesis' in window)) return;
    const changed = () => setVoice(voiceFor(language));
    changed();
    speechSynthesis.addEventListener('voiceschanged', changed);
    return () => speechSynthesis.removeEventListener('voiceschanged', changed);
  }, [language]);
  return voice;
}

function voiceFor(language: string | undefined): SpeechSynthesisVoice | null {
  const own = speechSynthesis
    .getVoices()
    .filter(({ lang, localService }) => localService && lang.split(/[-_]/)[0] === language);
  return own.find((voice) => voice.default) ?? own[0] ?? null;
}

/** Speaks a text instead of what is being spoken. */
function speak(text: string, voice: SpeechSynthesisVoice): void {
  // The notes in brackets of a translation are not part of the word.
  const utterance = new SpeechSynthesisUtterance(text.replace(/\([^()]*\)/g, ' '));
  utterance.voice = voice;
  utterance.lang = voice.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(utterance);
}
