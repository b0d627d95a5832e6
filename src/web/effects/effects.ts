// What is heard and felt of a game, for who wants it: off until it is switched on, and remembered on
// this device. What makes the sounds is loaded by the first one.
import { load, save } from '../storage.ts';

export type Effect = 'chosen' | 'right' | 'wrong' | 'hurry' | 'joined' | 'over' | 'won';

const KEY = 'sound';

/** What phones do, in milliseconds: shaking, resting, shaking … */
const SHAKES_MS: Partial<Record<Effect, number[]>> = {
  chosen: [15],
  right: [25, 50, 25],
  wrong: [120],
  won: [40, 60, 40, 60, 120],
};

/** Whether this device is one that is held, and can shake. */
export const canVibrate = 'vibrate' in navigator && matchMedia('(pointer: coarse)').matches;

/** @returns whether the user wants to hear anything */
export function isSoundOn(): boolean {
  return load<boolean>('device', KEY) === true;
}

export function setSound(isOn: boolean): void {
  save('device', KEY, isOn || null);
  if (isOn) effect('right');
}

/** Lets an effect be heard and felt, if that is wanted. A sound that can't be loaded is no trouble. */
export function effect(name: Effect): void {
  if (!isSoundOn()) return;
  const shakesMs = SHAKES_MS[name];
  if (canVibrate && shakesMs) navigator.vibrate(shakesMs);
  import('./sound.ts').then(({ play }) => play(name)).catch(() => {});
}
