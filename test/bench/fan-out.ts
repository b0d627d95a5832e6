// Measures the time from the last answer, on one replica, to the round's result on a socket of another one.
// It is compared with a bare Redis publish that comes back on a subscription.
import { Redis } from 'ioredis';
import { createLobby } from '../../src/lobby/create-lobby.ts';
import { joinLobby } from '../../src/lobby/join-lobby.ts';
import { CreateLobbyRequest } from '../../src/lobby/schema.ts';
import type { ServerMessage } from '../../src/realtime/schema.ts';
import { createSignedInUser, type TestUser } from '../support/users.ts';
import { type Figure, median, quantile } from './figures.ts';
import { joinLobbyRoom, openSocket, type TimedSocket } from './socket.ts';
import type { Stage } from './stage.ts';

const REPETITIONS = 5;
const GAMES = 8;
/** In each round a socket sends two messages. With more rounds the rate limit would refuse some. */
const ROUNDS = 15;

type QuestionMessage = Extract<ServerMessage, { type: 'game:question' }>;

export async function measureFanOut(stage: Stage): Promise<Figure[]> {
  const replicas = [await stage.startApi(), await stage.startApi()];
  const users = [await createSignedInUser(stage.services), await createSignedInUser(stage.services)];
  const own: number[][] = [];
  const floor: number[][] = [];
  // The first repetition warms up.
  for (let repetition = 0; repetition <= REPETITIONS; repetition++) {
    const times: number[] = [];
    for (let game = 0; game < GAMES; game++) {
      times.push(
        ...(await playGame(
          stage,
          replicas.map(({ url }) => url),
          users,
        )),
      );
    }
    own.push(times);
    floor.push(await roundTrips(stage.redisUrl, GAMES * ROUNDS));
  }
  await Promise.all(replicas.map((replica) => replica.stop()));
  const figure = (name: string, of: (times: readonly number[]) => number): Figure => ({
    name: `answer to result across replicas, ${name}`,
    unit: 'ms',
    values: own.slice(1).map(of),
    floor: { name: 'publish to subscription', values: floor.slice(1).map(of) },
  });
  return [figure('median', median), figure('p99', (times) => quantile(times, 0.99))];
}

/** @returns for each round the time from sending the last answer to the other player's result, ms */
async function playGame({ services }: Stage, urls: string[], users: TestUser[]): Promise<number[]> {
  const [host, guest] = users as [TestUser, TestUser];
  const request = CreateLobbyRequest.parse({ settings: { rounds: ROUNDS } });
  const { code } = await createLobby(services, host.id, request);
  await joinLobby(services, code, { userId: guest.id, address: '127.0.0.1' });
  const near = await openSocket(urls[0] as string, host.cookie);
  const far = await openSocket(urls[1] as string, guest.cookie);
  for (const socket of [near, far]) await joinLobbyRoom(socket, code);
  await ready(far);
  let question = nextQuestion(far);
  near.send({ type: 'lobby:start' });
  const times: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const { questionId } = (await question).question;
    far.send({ type: 'game:answer', questionId, optionId: 0 });
    // The reply to `game:ready` means that the answer before it is stored.
    await ready(far);
    const result = far.next(({ type }) => type === 'game:answer_result');
    if (round < ROUNDS) question = nextQuestion(far);
    const sentMs = performance.now();
    near.send({ type: 'game:answer', questionId, optionId: 1 });
    times.push((await result).atMs - sentMs);
  }
  near.close();
  far.close();
  return times;
}

async function nextQuestion(socket: TimedSocket): Promise<QuestionMessage> {
  return (await socket.next(({ type }) => type === 'game:question')).message as QuestionMessage;
}

async function ready(socket: TimedSocket): Promise<void> {
  const screen = socket.next(({ type }) => type === 'game:question' || type === 'lobby:state');
  socket.send({ type: 'game:ready' });
  await screen;
}

async function roundTrips(redisUrl: string, count: number): Promise<number[]> {
  const publisher = new Redis(redisUrl);
  const subscriber = new Redis(redisUrl);
  await subscriber.ssubscribe('bench');
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const received = new Promise<number>((resolve) => {
      subscriber.once('smessage', () => resolve(performance.now()));
    });
    const sentMs = performance.now();
    await publisher.spublish('bench', 'x'.repeat(400));
    times.push((await received) - sentMs);
  }
  publisher.disconnect();
  subscriber.disconnect();
  return times;
}
