// Speaks words by the voices of the device. Voices that send the text to a service are not used.
import { useEffect, useState } from 'preact/hooks';
import { load, save } from '../ui/storage.ts';

const KEY = 'read-aloud';

/** @returns whether words are read without a press of the button; stored on this device */
export function isReadAloud(): boolean {
  return load<boolean>('device', KEY) === true;
}

export function setReadAloud(isOn: boolean): void {
  save('device', KEY, isOn || null);
}

/** @returns the device's voice for a language; null if there is none, or while the browser loads its voices */
export function useVoice(language: string | undefined): SpeechSynthesisVoice | null {
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
export function speak(text: string, voice: SpeechSynthesisVoice): void {
  // The notes in brackets of a translation are not part of the word.
  const utterance = new SpeechSynthesisUtterance(text.replace(/\([^()]*\)/g, ' '));
  utterance.voice = voice;
  utterance.lang = voice.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(utterance);
}
