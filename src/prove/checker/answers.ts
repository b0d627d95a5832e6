// What a player gave is what is judged: an answer that is known to stand counts, one that was taken
// in silence too, and nothing counts that nobody gave. [contract 5.4]
import type { ServerEvent } from '../../client/types.ts';
import type { Client, Span, Violation } from '../history.ts';

/** So long after a message its refusal has come, if its connection is still there. */
const SILENCE_MS = 10_000;
/** So much earlier than a failover is noticed may what it loses have been written. */
const MARGIN_MS = 5000;

/** @param clients all of one user: what the first of them says stands */
export function checkAnswers(
  clients: readonly Client[],
  log: readonly ServerEvent[],
  losses: readonly Span[],
): { violations: Violation[]; lost: number } {
  const [user] = clients.map((client) => client.user);
  const violations: Violation[] = [];
  let lost = 0;
  for (const event of log) {
    if (event.type !== 'game:answer_result') continue;
    const judged = event.answers.find(({ userId }) => userId === user?.id);
    if (!judged) continue;
    const sent = clients.flatMap((client) =>
      client.sent.flatMap(({ message, ...how }) =>
        message.type === 'game:answer' && message.questionId === event.questionId
          ? [{ ...how, message, stands: isStanding(client, { ...how, message }) }]
          : [],
      ),
    );
    const given = sent[0]?.message.optionId ?? null;
    if (judged.selectedOptionId === given) continue;
    const text = `${user?.name} gave ${given} in round ${event.round}, judged is ${judged.selectedOptionId}`;
    if (judged.selectedOptionId !== null) violations.push({ kind: 'answers', text });
    else if (sent.some(({ stands }) => stands)) {
      const isLoss = losses.some(({ fromMs, toMs }) =>
        sent.some(({ atMs }) => atMs >= fromMs - MARGIN_MS && atMs <= toMs + MARGIN_MS),
      );
      if (isLoss) lost++;
      else violations.push({ kind: 'answers', text: `${text}, though it was taken` });
    }
  }
  return { violations, lost };
}

/** Whether the client knows that an answer stands: it was told so, or nothing, for long enough. */
export function isStanding(
  { connections }: Client,
  { refusal, atMs, connection }: Client['sent'][0],
): boolean {
  if (refusal) return refusal.reason === 'ALREADY_ANSWERED';
  const closedAtMs = connections[connection]?.closedAtMs ?? Number.POSITIVE_INFINITY;
  return closedAtMs > atMs + SILENCE_MS;
}
