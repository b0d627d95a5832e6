// Sends every message of a client in a game with a hostile list. Each message is tried in each state of the game, apart
// from those that change the state, so that one that is added is found without a change here. [contract 5, 11]
import type { Json } from '../fuzz/schema-values.ts';
import type { Player } from '../player.ts';
import { answersTo, type Course, HOWS, type Outcome, type Reply } from './course.ts';
import { type ClientMessage, filled } from './operations.ts';

/** The messages that change who is there or what is open; each has its place in the course. */
const MOVES = ['lobby:start', 'game:next', 'game:end', 'lobby:again', 'lobby:kick', 'lobby:leave'];
/** A connection may send 40 frames at once; the course goes on with another one before. [contract 5] */
const FRAMES_A_SOCKET = 30;

type Acts = Parameters<Course['measure']> extends [cell: unknown, ...acts: infer Rest] ? Rest : never;

interface GameCourse extends Course {
  asyncapi: Json;
  messages: ClientMessage[];
  /** The values of messages' fields, among them the lobby's code. */
  values: Record<string, unknown>;
  mode: string;
  outcome: Outcome;
  fault(name: string, reply: Reply): void;
}

/** @returns the id of the last game that has ended; undefined if the list is too short for one */
export async function playGame(course: GameCourse): Promise<string | undefined> {
  const { players, terms, values, mode, outcome, measure } = course;
  const [host, guest, third] = players;
  const { code } = values;
  const frames = new Map<Player, number>();
  /** The open question's message; only the game's id between two games. */
  let open: Json = {};

  async function enter(player: Player): Promise<void> {
    player.drop();
    await player.connect();
    frames.set(player, 0);
    await say(player, { type: 'lobby:join', code });
  }

  async function say(player: Player, message: Json): Promise<Reply> {
    if ((frames.get(player) ?? 0) > FRAMES_A_SOCKET) await enter(player);
    frames.set(player, (frames.get(player) ?? 0) + 2);
    const ref = `say-${++refs}`;
    player.send({ ...message, ref });
    // A message of no known type is refused when those before it are handled.
    await player.refused({ type: 'nothing' });
    const error = player.messages.find((one) => one.type === 'error' && one.ref === ref) as Json;
    return { status: error?.code ?? 200, body: error, bytes: 0 };
  }

  /** Sends a message of the host that opens a question or ends the game, and waits for that. */
  async function turn(message: object, event: 'game:question' | 'game:finished'): Promise<Reply> {
    const seen = host.messages.length;
    const reply = await say(host, message);
    if (reply.status !== 200) return reply;
    const happened = await host.next(event, (one: Json) => !one.snapshot, seen);
    open = event === 'game:question' ? happened : { gameId: open.gameId };
    return reply;
  }

  const start = () => turn({ type: 'lobby:start' }, 'game:question');
  const end = () => turn({ type: 'game:end' }, 'game:finished');
  const again = () => say(host, { type: 'lobby:again' });
  const isLast = () => open.round === open.totalRounds;
  const next = () =>
    turn({ type: 'game:next', round: open.round, phase: 'round' }, isLast() ? 'game:finished' : 'game:question');
  async function toWaiting(): Promise<void> {
    if (open.question) await end();
    await again();
  }
  async function toRunning(): Promise<void> {
    if (open.question) return;
    await toWaiting();
    await start();
  }
  /** Opens another question; of a short list that of another game. */
  async function toFresh(): Promise<void> {
    if (open.question) await next();
    await toRunning();
  }

  async function cell([name, how]: [name: string, how: string], ...acts: Acts): Promise<Reply> {
    const reply = await measure({ mode, name, how }, ...acts);
    if (reply.status === 200) outcome.done.add(name);
    return reply;
  }

  /** Sends all messages that change no state; it may be the wrong one for some of them. */
  async function tryAll(state: string): Promise<void> {
    for (const { type, schema, isAnswer } of course.messages) {
      if (MOVES.includes(type) || isAnswer) continue;
      const message = { ...filled(schema, course.asyncapi, values), type };
      await cell([type, state], () => say(host, message));
    }
  }

  async function answerAll(type: string): Promise<void> {
    for (const how of HOWS) {
      const message = (as: (typeof HOWS)[number]) => {
        const { questionId } = open.question;
        return { type, questionId, ...answersTo(open.question, terms)[as] };
      };
      const prepare = async () => {
        await toFresh();
        if (how === 'refused') await say(host, message('right'));
      };
      const reply = await cell([type, how], () => say(host, message(how)), prepare);
      if (reply.status !== (how === 'refused' ? 409 : 200)) course.fault(`${type}, ${how}`, reply);
    }
  }

  for (const player of [guest, third]) await player.http.post(`/api/v1/lobbies/${code}/join`, {});
  for (const player of players) await enter(player);
  await host.next('lobby:state', ({ lobby }) => lobby.code === code && lobby.connectedCount === 3);
  await tryAll('waiting');
  const toStart = async () => void (open.gameId && (await toWaiting()));
  if ((await cell(['lobby:start', 'again'], start, toStart)).status !== 200) return undefined;
  await tryAll('running');
  for (const { type, isAnswer } of course.messages) if (isAnswer) await answerAll(type);
  await cell(['game:next', 'running'], next, toRunning);
  await cell(['game:end', 'running'], end, toRunning);
  await tryAll('finished');
  await cell(['lobby:again', 'finished'], again);
  const { gameId } = open;
  await toRunning();
  await cell(['lobby:kick', 'running'], () => say(host, { type: 'lobby:kick', userId: third.user.id }));
  await cell(['lobby:leave', 'running'], () => say(guest, { type: 'lobby:leave' }));
  await toWaiting();
  return gameId;
}

let refs = 0;
