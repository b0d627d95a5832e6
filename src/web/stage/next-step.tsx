// The host's next step: its button and the command that it sends. The button ignores presses for a moment after a new
// screen has appeared, since a second press meant the screen before.
import { useState } from 'preact/hooks';
import { useIsBefore } from '../game/clock.ts';
import type { HostAction, ResolvedRound } from '../game/game-state.ts';
import { useI18n } from '../i18n/index.tsx';
import type { LobbyGame } from '../lobby/use-lobby.ts';
import { Button } from '../ui/button.tsx';

/** How long presses and keys are ignored after a new screen appears, ms. */
export const SETTLE_MS = 600;

interface StepButtonProps {
  text: string;
  class: string;
  isDisabled: boolean;
  onPressed(): void;
}

/** What is on the screen must be the `key`, so that each screen gets a new button. */
export function StepButton({ text, class: kind, isDisabled, onPressed }: StepButtonProps) {
  const [shownAtMs] = useState(() => performance.now());
  const isNew = useIsBefore(shownAtMs + SETTLE_MS);
  return (
    <Button
      class={kind}
      label={text}
      disabled={isDisabled}
      aria-disabled={isNew}
      onClick={() => !isNew && onPressed()}
    />
  );
}

/**
 * Sends the command of the host's main button, and names it.
 * @param result the round whose result is on the screen
 * @param onPass shows the next round, which is open already
 */
export function performAction(
  action: HostAction,
  { host, state }: LobbyGame,
  result: ResolvedRound | null,
  onPass: () => void,
): void {
  const { round } = state;
  if (action === 'start') host.start();
  else if (action === 'again') host.again();
  else if (action === 'pass') onPass();
  else if (action === 'skip' && round) host.next(round.number, 'round');
  else if (action === 'next' && result) host.next(result.number, 'intermission');
}

/** @returns the label of the button for each action */
export function useActionTexts(result: ResolvedRound | null): Record<HostAction, string> {
  const { t } = useI18n();
  const goOn = result?.isLast ? t.toPodium : t.nextRound;
  return { start: t.startGame, skip: t.hosting.skip, again: t.playAgain, pass: goOn, next: goOn };
}
