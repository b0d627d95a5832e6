// Sounds and vibration. A projector has sounds, as long as its user does not prefer reduced motion; elsewhere they
// are off. The user's choice is stored on this device. The first sound loads the code that plays it.
import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { Button } from '../ui/button.tsx';
import { load, save } from '../ui/storage.ts';
import type { SoundEffect } from './sound.ts';

const KEY = 'sound';

/** Vibration patterns, ms: vibrate, pause, vibrate … */
const VIBRATIONS_MS: Partial<Record<SoundEffect, number[]>> = {
  chosen: [15],
  right: [25, 50, 25],
  wrong: [120],
  won: [40, 60, 40, 60, 120],
};

/** Desktop browsers have the function, too; only touch devices vibrate. */
const canVibrate = 'vibrate' in navigator && matchMedia('(pointer: coarse)').matches;

/** Whether sounds are on as long as the user has not chosen. */
let isOnByDefault = false;

/** Turns sounds on by default while the component is shown. */
export function useStageSound(): void {
  // The switch among the component's children shows the state, and so they need it when they are first rendered.
  useState(() => {
    isOnByDefault = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  });
  useEffect(
    () => () => {
      isOnByDefault = false;
    },
    [],
  );
}

function isSoundOn(): boolean {
  return load<boolean>('device', KEY) ?? isOnByDefault;
}

/** Plays a sound and vibrates, unless that is off. A sound that can't be loaded is left out. */
export function playEffect(name: SoundEffect): void {
  if (!isSoundOn()) return;
  const patternMs = VIBRATIONS_MS[name];
  if (canVibrate && patternMs) navigator.vibrate(patternMs);
  import('./sound.ts').then(({ play }) => play(name)).catch(() => {});
}

/** @param props.isShort whether a phone shows the icon alone */
export function SoundSwitch({ isShort = false }) {
  const { t } = useI18n();
  const [isOn, setOn] = useState(isSoundOn);
  const toggle = () => {
    save('device', KEY, !isOn);
    if (!isOn) playEffect('right');
    setOn(!isOn);
  };
  return (
    <Button
      class="quiet"
      icon={isOn ? 'sound' : 'silent'}
      label={canVibrate ? t.soundAndVibration : t.sound}
      isShort={isShort}
      aria-pressed={isOn}
      onClick={toggle}
    />
  );
}
