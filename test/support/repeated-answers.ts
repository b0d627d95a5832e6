// Repeats answers with an Idempotency-Key: of a quiz or an attempt, chosen or typed, on two replicas. [contract 23]
import { expect } from 'vitest';
import type { GameSession } from '../../src/singleplayer/schema.ts';
import type { HttpClient, HttpResponse } from './http-client.ts';

type Clients = [here: HttpClient, there: HttpClient];
const shown = ({ status, body }: HttpResponse) => ({ status, body });
const codes = ({ status, body }: HttpResponse) => [status, body.code];
const REUSED = [422, 'IDEMPOTENCY_KEY_REUSED'];

/**
 * Plays a session of four questions. A repeated request gets the same reply on any replica, also after the last answer,
 * and another one with its key is refused before everything else.
 */
export async function expectRepeatable(
  [here, there]: Clients,
  { sessionId, questions }: Pick<GameSession, 'sessionId' | 'questions'>,
  [given, other]: [object, object],
): Promise<void> {
  const ask = (place: number, key?: string, client = here, answer = given) => {
    const body = { sessionId, questionId: questions[place]?.questionId, ...answer };
    return client.post('/api/v1/game/answer', body, key === undefined ? {} : { 'idempotency-key': key });
  };
  const first = await ask(0, 'a');
  expect(first.status).toBe(200);
  expect(shown(await ask(0, 'a', there))).toEqual(shown(first));
  for (const place of [0, 1]) expect(codes(await ask(place, 'a', there, other))).toEqual(REUSED);
  // A refusal is not kept, so that the key is free.
  for (const key of ['b', undefined]) expect(codes(await ask(0, key))).toEqual([409, 'QUESTION_ALREADY_ANSWERED']);

  const many = await Promise.all(Array.from({ length: 10 }, (_, at) => ask(1, 'b', at % 2 ? here : there)));
  expect(many[0]?.body.score.answered).toBe(2);
  for (const each of many) expect(shown(each)).toEqual(shown(many[0] as HttpResponse));
  const [one, another] = await Promise.all([ask(2, 'c', here), ask(3, 'c', there)]);
  expect([one, another].map(({ status }) => status).toSorted()).toEqual([200, 422]);

  const open = one.status === 200 ? 3 : 2;
  const last = await ask(open, 'd', there);
  expect(last.body.score).toMatchObject({ answered: 4, total: 4 });
  expect(shown(await ask(open, 'd'))).toEqual(shown(last));
  expect(shown(await ask(0, 'a', there))).toEqual(shown(first));
  expect(codes(await ask(0, 'd'))).toEqual(REUSED);
  expect(codes(await ask(open))).toEqual([404, 'SESSION_NOT_FOUND']);
}
