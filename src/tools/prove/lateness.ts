// How late a timed event reaches a player: the end of a round, and the question or end that follows a
// result. It uses this machine's clock only, which need not agree with the service's.
import type { ServerEvent } from '../../client/types.ts';
import type { Client } from './history.ts';

/**
 * The tolerance for an event that comes before its time, ms. The network explains so much; an event that is
 * earlier was brought about by the host.
 */
const EARLY_MS = 100;

/** @returns how late each timed event came, ms, where one connection received both ends of the wait */
export function latenessOf(client: Pick<Client, 'received'>): number[] {
  return timedEvents(client).map(({ lateMs }) => lateMs);
}

/** @returns the timed events, and how late each came, ms, as `latenessOf` measures it */
export function timedEvents({ received }: Pick<Client, 'received'>): { event: ServerEvent; lateMs: number }[] {
  const late: { event: ServerEvent; lateMs: number }[] = [];
  let due: { atMs: number; connection: number } | null = null;
  for (const { event, atMs, connection } of received) {
    if (event.snapshot || !event.type.startsWith('game:')) continue;
    const isCut = event.type === 'game:answer_result' && event.reason !== 'timeout';
    const lateMs = due?.connection === connection ? atMs - due.atMs : Number.NaN;
    if (!isCut && lateMs >= -EARLY_MS) late.push({ event, lateMs: Math.max(0, lateMs) });
    due = null;
    if (event.type === 'game:question') due = { atMs: atMs + event.remainingMs, connection };
    if (event.type === 'game:answer_result') due = { atMs: atMs + event.nextInMs, connection };
  }
  return late;
}

/** @param share the quantile, 0 to 1 @returns null if there are no values */
export function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}
