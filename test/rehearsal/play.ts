// Uses a restored service as players do, over HTTP and the socket: they create accounts and sign in, one
// answers a quiz, and two play a game to its end.
import { randomBytes } from 'node:crypto';
import { type Client, createClient, type GameRequest } from '../../src/client/index.ts';
import { type Account, type Player, seatPlayer } from '../../src/tools/prove/robot.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { mailTo } from '../support/outbox.ts';
import { RehearsalError } from './database.ts';
import type { Stage } from './stage.ts';

const QUESTIONS = 5;
const ROUNDS = 2;

export interface Visitor {
  user: Account;
  client: Client;
}

/** Creates an account, opens the link in the email, and signs in. */
export async function signUpAndIn({ url, outbox }: Stage, name: string): Promise<Visitor> {
  const http = createHttpClient(url);
  const email = `rehearsal-${randomBytes(8).toString('hex')}@example.com`;
  const password = randomBytes(16).toString('hex');
  await post(http, '/api/auth/sign-up/email', { name, email, password });
  await http.get((await mailTo({ mail: { outbox } }, email)).url);
  const { user } = await post(http, '/api/auth/sign-in/email', { email, password });
  const cookie = http.cookie();
  return { user: { id: user.id, name, cookie }, client: createClient({ baseUrl: url, cookie }) };
}

/** @returns the largest deck */
export async function findDeck({ client }: Visitor): Promise<GameRequest> {
  const { decks } = await client.getVocabulary();
  const [largest] = decks.toSorted((a, b) => b.terms - a.terms);
  if (!largest) throw new RehearsalError('The restored database holds no vocabulary to play with.');
  const { sourceLanguage, targetLanguage, pos, difficulty } = largest;
  return { sourceLanguage, targetLanguage, pos, difficulty };
}

/** Answers each question of a quiz. */
export async function playQuiz({ client }: Visitor, deck: GameRequest): Promise<void> {
  const quiz = await client.startGame({ ...deck, questionCount: QUESTIONS });
  let answered = 0;
  for (const { questionId } of quiz.questions) {
    const answer = { sessionId: quiz.sessionId, questionId, optionId: 0 };
    ({ answered } = (await client.answerQuestion(answer)).score);
  }
  if (answered !== QUESTIONS) throw new RehearsalError(`A quiz of ${QUESTIONS} questions counts ${answered} answers.`);
}

/** Plays a game of two to its end, and reads its result from the database. */
export async function playGame(url: string, visitors: [Visitor, Visitor], deck: GameRequest) {
  const [{ client }, guest] = visitors;
  const { code } = await client.createLobby({ settings: { ...deck, rounds: ROUNDS } });
  await guest.client.joinLobby(code);
  const robots = visitors.map(({ user }) => seatPlayer(url, user, code, () => 100));
  try {
    const [host] = robots as [Player, Player];
    await until('Two players meet in a lobby', () => {
      const states = host.received.flatMap(({ event }) => (event.type === 'lobby:state' ? [event.lobby.players] : []));
      return states.at(-1)?.filter(({ connected }) => connected).length === 2;
    });
    void host.lobby.start();
    await until('A game of two comes to its end', () => robots.every(isFinished));
    const last = host.received.find(({ event }) => event.type === 'game:finished')?.event;
    if (last?.type !== 'game:finished') return;
    const stored = await client.getGame(last.gameId);
    if (JSON.stringify(stored.winnerIds) !== JSON.stringify(last.winnerIds))
      throw new RehearsalError('The stored result of the game is another than the players saw.');
  } finally {
    for (const robot of robots) robot.stop();
  }
}

function isFinished({ received }: Player): boolean {
  return received.some(({ event }) => event.type === 'game:finished');
}

/** @throws RehearsalError when the condition does not hold within a minute and a half */
async function until(what: string, isSo: () => boolean): Promise<void> {
  const look = () => {
    if (!isSo()) throw new RehearsalError(`${what}: not within 90 s.`);
  };
  await eventually(look, { timeoutMs: 90_000 });
}

async function post(http: HttpClient, path: string, body: object) {
  const answer = await http.post(path, body);
  if (answer.status < 300) return answer.body;
  throw new RehearsalError(`${path} is ${answer.status}: ${JSON.stringify(answer.body)}`);
}
