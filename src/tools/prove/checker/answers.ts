// The judged answers are the given ones: an accepted answer counts, and nothing counts that nobody gave.
// [contract 5.4]
import type { ServerEvent } from '../../../client/types.ts';
import type { Client, Span, Violation } from '../history.ts';
import { violationOf } from './violation.ts';

/** An answer without an error after this time was accepted, if its connection stayed open, ms. */
const ACCEPTED_AFTER_MS = 10_000;
/** A failover may lose writes from this long before it was noticed, ms. */
const MARGIN_MS = 5000;

/**
 * @param clients all clients of one user; the first stored answer of any of them counts
 * @param losses the periods in which Redis may have lost writes
 * @returns the violations, and the number of answers that a failover explains
 */
export function checkAnswers(
  clients: readonly Client[],
  log: readonly ServerEvent[],
  losses: readonly Span[],
): { violations: Violation[]; lost: number } {
  const [user] = clients.map((client) => client.user);
  const violations: Violation[] = [];
  let lost = 0;
  let total = { gameId: '', score: 0 };
  for (const event of log) {
    if (event.type !== 'game:answer_result') continue;
    const { gameId } = event;
    const before = total.gameId === gameId ? total.score : 0;
    total = { gameId, score: event.scores.find(({ userId }) => userId === user?.id)?.score ?? 0 };
    const judged = event.answers?.find(({ userId }) => userId === user?.id);
    const sent = clients.flatMap((client) =>
      client.sent.flatMap(({ message, ...how }) =>
        message.type === 'game:answer' && message.questionId === event.questionId
          ? [{ ...how, message, stands: isStanding(client, { ...how, message }) }]
          : [],
      ),
    );
    const given = sent[0]?.message.optionId ?? null;
    // A result does not list a player who has left. Only points show that a right answer counted.
    const isCounted = total.score > before || given !== event.correctOptionId;
    const counted = judged ? judged.selectedOptionId : isCounted ? given : null;
    if (counted === given) continue;
    const text = `${user?.name} answered ${given} in round ${event.round}, but ${counted} was judged`;
    if (counted !== null) violations.push(violationOf('answers', text, event));
    else if (sent.some(({ stands }) => stands)) {
      const isLoss = losses.some(({ fromMs, toMs }) =>
        sent.some(({ atMs }) => atMs >= fromMs - MARGIN_MS && atMs <= toMs + MARGIN_MS),
      );
      if (isLoss) lost++;
      else violations.push(violationOf('answers', `${text}, though the answer was accepted`, event));
    }
  }
  return { violations, lost };
}

/** Whether the client knows that its answer was stored: a repetition was refused, or no error came for long enough. */
export function isStanding({ connections }: Client, { refusal, atMs, connection }: Client['sent'][0]): boolean {
  if (refusal) return refusal.reason === 'ALREADY_ANSWERED';
  const closedAtMs = connections[connection]?.closedAtMs ?? Number.POSITIVE_INFINITY;
  return closedAtMs > atMs + ACCEPTED_AFTER_MS;
}
