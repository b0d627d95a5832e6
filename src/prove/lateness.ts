// How late what is due comes, as a player sees it: the end of a round after its time, and what follows
// upon a result. By this machine's clock alone, which need not be the service's.
import type { Client } from './history.ts';

/** So much earlier than announced is the network's doing; more, and the host has cut it short. */
const EARLY_MS = 100;

/** @returns ms, of everything that was waited for over one connection */
export function latenessOf({ received }: Pick<Client, 'received'>): number[] {
  const late: number[] = [];
  let due: { atMs: number; connection: number } | null = null;
  for (const { event, atMs, connection } of received) {
    if (event.snapshot || !event.type.startsWith('game:')) continue;
    const isCut = event.type === 'game:answer_result' && event.reason !== 'timeout';
    const lateMs = due?.connection === connection ? atMs - due.atMs : Number.NaN;
    if (!isCut && lateMs >= -EARLY_MS) late.push(Math.max(0, lateMs));
    due = null;
    if (event.type === 'game:question') due = { atMs: atMs + event.remainingMs, connection };
    if (event.type === 'game:answer_result') due = { atMs: atMs + event.nextInMs, connection };
  }
  return late;
}

/** @param share of [0, 1] @returns null of no values */
export function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}
