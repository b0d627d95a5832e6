// Whether answers are chosen or typed. The last choice for a quiz is stored on this device.
import { useEffect, useState } from 'preact/hooks';
import type { LobbySettings } from '../../lobby/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { RadioGroup } from '../ui/choice.tsx';
import { load, save } from '../ui/storage.ts';

type AnswerMode = LobbySettings['answerMode'];

const KEY = 'answer-mode';
const MODES: AnswerMode[] = ['choice', 'typed'];
/** The event on `window` for a changed choice, since a screen may offer it in two places. */
const CHANGED = 'page:answer-mode';

/** @returns the mode of the user's quizzes, and a function that changes it */
export function useAnswerMode(): [AnswerMode, (mode: AnswerMode) => void] {
  const [mode, setMode] = useState(savedAnswerMode);
  useEffect(() => {
    const changed = () => setMode(savedAnswerMode());
    addEventListener(CHANGED, changed);
    return () => removeEventListener(CHANGED, changed);
  }, []);
  return [
    mode,
    (next) => {
      save('device', KEY, next);
      dispatchEvent(new Event(CHANGED));
    },
  ];
}

/** @returns the mode that the user has last chosen for a quiz */
export function savedAnswerMode(): AnswerMode {
  return load<AnswerMode>('device', KEY) === 'typed' ? 'typed' : 'choice';
}

interface AnswerModeChoiceProps {
  value: AnswerMode;
  onValue(mode: AnswerMode): void;
}

export function AnswerModeChoice({ value, onValue }: AnswerModeChoiceProps) {
  const { t } = useI18n();
  const options = MODES.map((mode) => ({ value: mode, text: t.typed.modes[mode] }));
  return <RadioGroup label={t.typed.label} options={options} value={value} onValue={onValue} />;
}
