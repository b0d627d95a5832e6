// Sounds and vibration. They are off until the user switches them on, which is stored on this device. The
// first sound loads the code that plays it.
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
export const canVibrate = 'vibrate' in navigator && matchMedia('(pointer: coarse)').matches;

export function isSoundOn(): boolean {
  return load<boolean>('device', KEY) === true;
}

export function setSound(isOn: boolean): void {
  save('device', KEY, isOn || null);
  if (isOn) playEffect('right');
}

/** Plays a sound and vibrates, unless that is off. A sound that can't be loaded is left out. */
export function playEffect(name: SoundEffect): void {
  if (!isSoundOn()) return;
  const patternMs = VIBRATIONS_MS[name];
  if (canVibrate && patternMs) navigator.vibrate(patternMs);
  import('./sound.ts').then(({ play }) => play(name)).catch(() => {});
}
