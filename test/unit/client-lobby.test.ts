// A lobby of the client library, against a service that is played by the test. [contract 12, 15]
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiError } from '../../src/client/api-error.ts';
import { checkCommitment } from '../../src/client/commitment.ts';
import type { LiveSocket } from '../../src/client/live.ts';
import { connectLobby, type LobbyConnection } from '../../src/client/lobby.ts';

class FakeSocket implements LiveSocket {
  onopen: LiveSocket['onopen'] = null;
  onmessage: LiveSocket['onmessage'] = null;
  onclose: LiveSocket['onclose'] = null;
  onerror: LiveSocket['onerror'] = null;
  sent: { type: string; ref?: string; [field: string]: unknown }[] = [];
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {}
  says(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  refuses(ref: string, reason: string, code = 409): void {
    this.says({ type: 'error', code, reason, message: 'No.', ref });
  }
  /** Says that the lobby is at this event, as after a join. */
  enter(seq = 1): this {
    this.onopen?.();
    this.says({ type: 'lobby:state', seq, mark: `${seq}`, lobby: {} });
    return this;
  }
}

const ID = '0d4f9d2c-7b53-4f0e-9a55-1f4f6e3a8b21';
const NONCE = 'n0nce';
const commitmentOf = (optionId: number) =>
  createHash('sha256').update(`${ID}:${optionId}:${NONCE}`).digest('base64url');
const question = (seq: number, commitment?: string, questionId = ID) => ({
  ...{ type: 'game:question', seq, mark: `${seq}`, question: { questionId, commitment } },
});
const result = (seq: number, correctOptionId: number, nonce?: string) => ({
  ...{ type: 'game:answer_result', seq, mark: `${seq}`, questionId: ID, correctOptionId, nonce },
});

let sockets: FakeSocket[];
let lobby: LobbyConnection;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  sockets = [];
  lobby = connect();
});
afterEach(() => {
  lobby.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function connect(position?: LobbyConnection['position']): LobbyConnection {
  return connectLobby({
    code: 'ABC123',
    position,
    openSocket() {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    isSignedIn: async () => true,
  });
}

const newest = () => sockets.at(-1) as FakeSocket;
/** Lets what was said be delivered; WebCrypto, which works beside, takes its time. */
const settle = async (isDone = () => true) => {
  for (let turn = 0; turn < 20 || !isDone(); turn++)
    await new Promise<void>((done) => setImmediate(done));
};

/** Breaks the connection and waits for the next one. */
async function reconnect(): Promise<FakeSocket> {
  newest().onclose?.({ code: 1006 });
  await vi.advanceTimersByTimeAsync(1000);
  return newest();
}

/** All that an iterator gives until the end. */
async function read(): Promise<{ types: string[]; error?: ApiError }> {
  const types: string[] = [];
  try {
    for await (const event of lobby) types.push(event.type);
  } catch (error) {
    return { types, error: error as ApiError };
  }
  return { types };
}

describe('events', () => {
  it('are kept until they are read, and then the reading ends', async () => {
    newest().enter().says(question(2));
    await settle();
    lobby.close();
    expect(await read()).toEqual({ types: ['lobby:state', 'game:question'] });
    expect(await read()).toEqual({ types: [] });
  });

  it('are given once; what is sent again is said to be repeated', async () => {
    const repeated: unknown[] = [];
    lobby.on('repeated', ({ type }) => repeated.push(type));
    newest().enter().says(question(2));
    newest().says({ type: 'lobby:state', seq: 3, mark: '3', lobby: {} });
    (await reconnect()).enter(3).says(question(3));
    await settle();
    lobby.close();
    expect((await read()).types).toEqual(['lobby:state', 'game:question', 'lobby:state']);
    expect(repeated).toEqual(['lobby:state', 'game:question']);
  });

  it('[contract 16] of another history are given, and an answer that it may lack is said again', async () => {
    newest().enter(1).says(question(2));
    await settle();
    lobby.answer(ID, 1);
    newest().says(result(3, 2));
    newest().says({ type: 'lobby:state', seq: 3, mark: 'other', snapshot: true, lobby: {} });
    newest().says({ ...question(3), mark: 'other', snapshot: true });
    newest().says(result(4, 2));
    await settle();
    lobby.close();
    expect((await read()).types).toEqual([
      ...['lobby:state', 'game:question', 'game:answer_result'],
      ...['lobby:state', 'game:question', 'game:answer_result'],
    ]);
    const answers = newest().sent.filter(({ type }) => type === 'game:answer');
    expect(answers).toMatchObject([{ optionId: 1 }, { optionId: 1, ref: 'again' }]);
  });

  it('that another connection has given are not given anew', async () => {
    newest().enter(4);
    await settle();
    lobby.close();
    lobby = connect(lobby.position);
    newest().enter(4).says({ type: 'lobby:state', seq: 5, mark: '5', lobby: {} });
    await settle();
    const first = await lobby[Symbol.asyncIterator]().next();
    expect(first.value).toMatchObject({ seq: 5 });
  });

  it.each([
    ['lobby:closed', { seq: 2, mark: '2' }],
    ['lobby:kicked', {}],
  ])('end with %s', async (type, numbers) => {
    newest()
      .enter()
      .says({ type, code: 'ABC123', ...numbers });
    expect((await read()).types).toEqual(['lobby:state', type]);
    expect(lobby.status).toBe('ended');
  });

  it('a listener that was removed hears nothing', async () => {
    const heard: string[] = [];
    const remove = lobby.on('lobby:state', () => heard.push('state'));
    newest().enter();
    await settle();
    remove();
    newest().says({ type: 'lobby:state', seq: 2, mark: '2', lobby: {} });
    await settle();
    expect(heard).toEqual(['state']);
  });

  it('what can’t be entered throws to the reader', async () => {
    newest().onopen?.();
    newest().refuses('live:join', 'LOBBY_NOT_FOUND', 404);
    const { error } = await read();
    expect(error).toMatchObject({ name: 'ApiError', status: 404, code: 'LOBBY_NOT_FOUND' });
  });
});

describe('a commitment', () => {
  it('that holds is no event of its own', async () => {
    newest()
      .enter()
      .says(question(2, commitmentOf(3)));
    newest().says(result(3, 3, NONCE));
    newest().says({ type: 'lobby:state', seq: 4, mark: '4', lobby: {} });
    await settle(() => lobby.position?.seq === 4);
    lobby.close();
    expect((await read()).types.slice(1)).toEqual([
      ...['game:question', 'game:answer_result', 'lobby:state'],
    ]);
  });

  it.each([
    ['another answer', result(3, 2, NONCE)],
    ['another nonce', result(3, 3, 'other')],
    ['no nonce', result(3, 3)],
    ['another promise for the same question', question(3, commitmentOf(2))],
    ['no promise any more', question(3)],
  ])('that is broken by %s ends it: COMMITMENT_BROKEN', async (_, message) => {
    newest()
      .enter()
      .says(question(2, commitmentOf(3)));
    newest().says(message);
    const { types, error } = await read();
    expect(types).toEqual(['lobby:state', 'game:question']);
    expect(error).toMatchObject({ status: 0, code: 'COMMITMENT_BROKEN' });
  });

  it('is remembered by the position from which another connection goes on', async () => {
    newest()
      .enter()
      .says(question(2, commitmentOf(3)));
    await settle();
    lobby.close();
    const { position } = lobby;
    expect(position).toEqual(JSON.parse(JSON.stringify(position)));
    lobby = connect(position);
    newest().onopen?.();
    newest().says(result(3, 2, NONCE));
    expect((await read()).error).toMatchObject({ code: 'COMMITMENT_BROKEN' });
  });

  it('is the SHA-256 of question, option and nonce, as base64url', async () => {
    await checkCommitment(commitmentOf(1), { questionId: ID, correctOptionId: 1, nonce: NONCE });
  });
});

describe('an answer', () => {
  const answers = () => newest().sent.filter(({ type }) => type === 'game:answer');

  it('given without a connection is said when it is back', async () => {
    newest().enter().says(question(2));
    newest().onclose?.({ code: 1006 });
    lobby.answer(ID, 2);
    await vi.advanceTimersByTimeAsync(1000);
    newest().enter(2);
    expect(answers()).toMatchObject([{ questionId: ID, optionId: 2, ref: 'game:answer' }]);
  });

  it('is said again after a break, and that it was there already is no refusal', async () => {
    newest().enter().says(question(2));
    lobby.answer(ID, 2);
    (await reconnect()).enter(2);
    expect(answers()).toMatchObject([{ optionId: 2 }]);
    newest().refuses(answers()[0]?.ref as string, 'ALREADY_ANSWERED');
    await settle();
    lobby.close();
    expect((await read()).types).not.toContain('error');
  });

  it('is said again when a store was away, until its round is judged', async () => {
    newest().enter().says(question(2));
    lobby.answer(ID, 2);
    newest().refuses('game:answer', 'UNAVAILABLE', 503);
    await settle();
    await vi.advanceTimersByTimeAsync(1000);
    expect(answers()).toHaveLength(2);
    newest().says(result(3, 2));
    await settle();
    (await reconnect()).enter(3);
    expect(answers()).toHaveLength(0);
  });

  it('to the same question, given twice, is refused aloud', async () => {
    newest().enter().says(question(2));
    lobby.answer(ID, 2);
    lobby.answer(ID, 3);
    newest().refuses('game:answer', 'ALREADY_ANSWERED');
    await settle();
    lobby.close();
    expect((await read()).types).toContain('error');
  });
});

describe('a host', () => {
  const said = () => newest().sent.filter(({ ref }) => !ref?.startsWith('live:'));

  it('says each thing that a host can do', () => {
    newest().enter();
    lobby.start();
    lobby.next(2, 'intermission');
    lobby.end();
    lobby.again();
    lobby.kick(ID);
    lobby.lock(true);
    lobby.configure({ capacity: 9, settings: { rounds: 5 } });
    expect(said().map(({ ref: _, ...message }) => message)).toEqual([
      { type: 'lobby:start' },
      { type: 'game:next', round: 2, phase: 'intermission' },
      { type: 'game:end' },
      { type: 'lobby:again' },
      { type: 'lobby:kick', userId: ID },
      { type: 'lobby:lock', locked: true },
      { type: 'lobby:configure', capacity: 9, settings: { rounds: 5 } },
    ]);
  });

  it('without a connection is heard when it is back, the last word last', async () => {
    newest().enter();
    newest().onclose?.({ code: 1006 });
    lobby.kick(ID);
    for (const locked of [true, false, true]) lobby.lock(locked);
    await vi.advanceTimersByTimeAsync(1000);
    newest().enter();
    expect(said()).toMatchObject([
      { type: 'lobby:kick' },
      { type: 'lobby:lock', locked: false },
      { type: 'lobby:lock', locked: true },
    ]);
  });
});

describe('leaving', () => {
  it('ends when the service says that one is out', async () => {
    newest().enter();
    const left = lobby.leave();
    expect(newest().sent.slice(-2)).toMatchObject([
      { type: 'lobby:leave' },
      { type: 'game:ready' },
    ]);
    newest().refuses('live:ready', 'NOT_IN_LOBBY');
    await left;
    expect(await read()).toEqual({ types: ['lobby:state'] });
  });

  it('is said again when the connection broke meanwhile', async () => {
    newest().enter();
    const left = lobby.leave();
    (await reconnect()).enter();
    expect(newest().sent.map(({ type }) => type)).toContain('lobby:leave');
    (await reconnect()).onopen?.();
    newest().refuses('live:join', 'NOT_A_MEMBER', 403);
    await left;
  });
});
