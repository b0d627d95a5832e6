// What players do with a restored service, through its front door: they make accounts and sign in, one
// answers a quiz, two play a game to its end.
import { randomBytes } from 'node:crypto';
import { type Player, seatPlayer } from '../../src/prove/player.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { mailTo } from '../support/outbox.ts';
import type { TestUser } from '../support/users.ts';
import { RehearsalError } from './database.ts';
import type { Stage } from './stage.ts';

const QUESTIONS = 5;
const ROUNDS = 2;

export interface Visitor {
  user: TestUser;
  http: HttpClient;
}

/** What questions are made of. */
export type Deck = Record<'sourceLanguage' | 'targetLanguage' | 'pos' | 'difficulty', string>;

/** Makes an account, follows the link of the email, signs in. */
export async function signUpAndIn({ url, outbox }: Stage, name: string): Promise<Visitor> {
  const http = createHttpClient(url);
  const email = `rehearsal-${randomBytes(8).toString('hex')}@example.com`;
  const password = randomBytes(16).toString('hex');
  await post(http, '/api/auth/sign-up/email', { name, email, password });
  await http.get((await mailTo({ mail: { outbox } }, email)).url);
  const { user } = await post(http, '/api/auth/sign-in/email', { email, password });
  return { user: { id: user.id, name, email, cookie: http.cookie() }, http };
}

/** @returns the largest deck */
export async function findDeck({ http }: Visitor): Promise<Deck> {
  const { decks } = await get(http, '/api/v1/vocabulary');
  const [largest] = decks.toSorted(
    (a: { terms: number }, b: { terms: number }) => b.terms - a.terms,
  );
  if (!largest) throw new RehearsalError('The restored database holds no vocabulary to play with.');
  const { sourceLanguage, targetLanguage, pos, difficulty } = largest;
  return { sourceLanguage, targetLanguage, pos, difficulty };
}

/** Answers each question of a quiz. */
export async function playQuiz({ http }: Visitor, deck: Deck): Promise<void> {
  const wanted = { ...deck, questionCount: QUESTIONS };
  const { sessionId, questions } = await post(http, '/api/v1/game/start', wanted);
  let answered = 0;
  for (const { questionId } of questions) {
    const answer = { sessionId, questionId, optionId: 0 };
    ({ answered } = (await post(http, '/api/v1/game/answer', answer)).score);
  }
  if (answered !== QUESTIONS)
    throw new RehearsalError(`A quiz of ${QUESTIONS} questions counts ${answered} answers.`);
}

/** Plays a game of two to its end, and reads its result from the database. */
export async function playGame(url: string, visitors: [Visitor, Visitor], deck: Deck) {
  const [{ http }, guest] = visitors;
  const { code } = await post(http, '/api/v1/lobbies', { settings: { ...deck, rounds: ROUNDS } });
  await post(guest.http, `/api/v1/lobbies/${code}/join`, {});
  const robots = visitors.map(({ user }) => seatPlayer(url, user, code, () => 100));
  try {
    const [host] = robots as [Player, Player];
    await until('Two players meet in a lobby', () => {
      const states = host.received.flatMap(({ event }) =>
        event.type === 'lobby:state' ? [event.lobby.players] : [],
      );
      return states.at(-1)?.filter(({ connected }) => connected).length === 2;
    });
    host.lobby.start();
    await until('A game of two comes to its end', () => robots.every(isFinished));
    const last = host.received.find(({ event }) => event.type === 'game:finished')?.event;
    if (last?.type !== 'game:finished') return;
    const stored = await get(http, `/api/v1/games/${last.gameId}`);
    if (JSON.stringify(stored.winnerIds) !== JSON.stringify(last.winnerIds))
      throw new RehearsalError('The stored result of the game is another than the players saw.');
  } finally {
    for (const robot of robots) robot.stop();
  }
}

function isFinished({ received }: Player): boolean {
  return received.some(({ event }) => event.type === 'game:finished');
}

/** @throws RehearsalError when it is not so within a minute and a half */
async function until(what: string, isSo: () => boolean): Promise<void> {
  const look = () => {
    if (!isSo()) throw new RehearsalError(`${what}: not within 90 s.`);
  };
  await eventually(look, { timeoutMs: 90_000 });
}

async function get(http: HttpClient, path: string) {
  return expectOk('GET', path, await http.get(path));
}

async function post(http: HttpClient, path: string, body: object) {
  return expectOk('POST', path, await http.post(path, body));
}

function expectOk(
  method: string,
  path: string,
  { status, body }: Awaited<ReturnType<HttpClient['get']>>,
) {
  if (status < 300) return body;
  throw new RehearsalError(`${method} ${path} is ${status}: ${JSON.stringify(body)}`);
}
