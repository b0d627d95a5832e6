// Sends the command of the host's main button, and names it.
import type { ResolvedRound } from '../game/game-state.ts';
import { useI18n } from '../i18n/index.tsx';
import type { LobbyGame } from '../lobby/use-lobby.ts';
import type { HostAction } from './host-action.ts';

/**
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
