// Counts which features a run has exercised. A promise that no game called on is not proved.
import type { LobbyHistory } from './history.ts';

/** The number of lobbies in which each kind of thing happened, by its name. */
export type Coverage = Record<string, number>;

/** Adds what happened in one lobby. */
export function countCoverage(covered: Coverage, history: LobbyHistory): void {
  const { settings, words, clients, attempts, leaving } = history;
  const said = new Set(
    clients.flatMap(({ sent }) => sent.flatMap(({ message, refusal }) => (refusal ? [] : [message.type]))),
  );
  const isRefused = (code: string) => attempts.some(({ refusal }) => refusal === code);
  const happened = {
    presented: settings.hostPlays === false,
    compact: settings.compact === true,
    'with a list': words !== null,
    'with late joiners': settings.lateJoin === true && attempts.some(({ refusal }) => !refusal),
    'ended by the host': said.has('game:end'),
    configured: said.has('lobby:configure'),
    hurried: said.has('game:next'),
    removed: isRefused('KICKED'),
    'locked out': isRefused('LOBBY_LOCKED'),
    left: leaving.length > 0,
    'played again': said.has('lobby:again'),
  };
  for (const [what, isSo] of Object.entries(happened)) covered[what] = (covered[what] ?? 0) + (isSo ? 1 : 0);
}
