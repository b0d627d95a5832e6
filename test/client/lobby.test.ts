// The client library's lobby, against a fake service. [contract 12, 15]
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { checkCommitment } from '../../src/client/commitment.ts';
import { commitmentOf, ID, NONCE, question, result, settle, useLobbyConnection } from '../support/live-connection.ts';

const { client, connect, newest, reconnect, read } = useLobbyConnection();

describe('events', () => {
  it('are queued until they are read, also after the end', async () => {
    newest().enter().receive(question(2));
    await settle();
    client.lobby.close();
    expect(await read()).toEqual({ types: ['lobby:state', 'game:question'] });
    expect(await read()).toEqual({ types: [] });
  });

  it('are passed on once; an event that is sent again is marked as repeated', async () => {
    const repeated: unknown[] = [];
    client.lobby.on('repeated', ({ type }) => repeated.push(type));
    newest().enter().receive(question(2));
    newest().lobbyState(3, '3');
    (await reconnect()).enter(3).receive(question(3));
    await settle();
    client.lobby.close();
    expect((await read()).types).toEqual(['lobby:state', 'game:question', 'lobby:state']);
    expect(repeated).toEqual(['lobby:state', 'game:question']);
  });

  it('[contract 16] of another history are passed on, and an answer that it may lack is sent again', async () => {
    newest().enter(1).receive(question(2));
    await settle();
    void client.lobby.answer(ID, 1);
    newest().ack();
    newest().receive(result(3, 2));
    newest().receive({ type: 'lobby:state', seq: 3, mark: 'other', snapshot: true, lobby: {} });
    newest().receive({ ...question(3), mark: 'other', snapshot: true });
    newest().receive(result(4, 2));
    await settle(() => client.lobby.position?.seq === 4);
    client.lobby.close();
    const history = ['lobby:state', 'game:question', 'game:answer_result'];
    expect((await read()).types).toEqual([...history, ...history]);
    const answers = newest().sent.filter(({ type }) => type === 'game:answer');
    expect(answers).toMatchObject([{ optionId: 1 }, { optionId: 1 }]);
  });

  it('that another connection has passed on are not passed on again', async () => {
    newest().enter(4);
    await settle();
    client.lobby.close();
    client.lobby = connect(client.lobby.position);
    newest().enter(4).lobbyState(5);
    await settle();
    const first = await client.lobby[Symbol.asyncIterator]().next();
    expect(first.value).toMatchObject({ seq: 5 });
  });

  it.each([
    ['lobby:closed', { seq: 2, mark: '2' }],
    ['lobby:kicked', {}],
  ])('end with %s', async (type, numbers) => {
    const ending = { type, code: 'ABC123', ...numbers };
    newest().enter().receive(ending);
    expect((await read()).types).toEqual(['lobby:state', type]);
    expect(client.lobby.status).toBe('ended');
  });
});

/** @returns `done`, the code of the error that the promise was rejected with, or `waits` */
function outcomeOf(promise: Promise<void>) {
  const outcome = promise.then(
    () => 'done',
    ({ code }) => code as string,
  );
  return () => Promise.race([outcome, settle().then(() => 'waits')]);
}

const commands = () => newest().sent.filter(({ ref }) => !ref?.startsWith('live:'));

describe('an answer', () => {
  const answers = () => newest().sent.filter(({ type }) => type === 'game:answer');
  const ask = async (fields: object = {}) => {
    const asked = { ...question(2), ...fields };
    newest().enter().receive(asked);
    await settle();
  };
  /** Sends the result of the round, and waits until an answer would have been sent again. */
  const judge = async (fields: object) => {
    newest().receive({ ...result(3, 2), ...fields });
    await settle();
    await vi.advanceTimersByTimeAsync(1000);
  };
  const typed = (verdict: string | null) => ({ answers: [{ userId: ID, verdict }] });

  it.each([
    ['while there is none', false],
    ['that breaks before the ack', true],
  ])('is sent again over the next connection if it was given over one %s', async (_, isOpen) => {
    await ask();
    if (!isOpen) newest().onclose?.({ code: 1006 });
    const outcome = outcomeOf(client.lobby.answer(ID, 2));
    if (isOpen) newest().onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(1000);
    newest().enter(2);
    expect(answers()).toMatchObject([{ questionId: ID, optionId: 2 }]);
    newest().ack();
    expect(await outcome()).toBe('done');
    (await reconnect()).enter(2);
    expect(answers()).toEqual([]);
  });

  it('that is sent into a dead connection leads to another connection', async () => {
    await ask();
    const dead = newest();
    void client.lobby.answer(ID, 2);
    await vi.advanceTimersByTimeAsync(5000 + 500);
    expect(dead.isClosed).toBe(true);
    newest().enter(2);
    expect(answers()).toMatchObject([{ optionId: 2 }]);
  });

  it('is held until its question opens, also over a lost connection [contract 22]', async () => {
    await ask({ opensInMs: 4000 });
    const outcome = outcomeOf(client.lobby.answer(ID, 2));
    await vi.advanceTimersByTimeAsync(2000);
    newest().onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(1000);
    newest().enter(2);
    expect(answers()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(answers()).toHaveLength(1);
    newest().ack();
    expect(await outcome()).toBe('done');
  });

  it.each([
    ['its question is not open yet by the service’s clock', 'ROUND_CLOSED', 409],
    ['a store is away', 'UNAVAILABLE', 503],
  ] as const)('is sent again, without a report, where %s', async (_, reason, status) => {
    await ask();
    const outcome = outcomeOf(client.lobby.answer(ID, 2));
    newest().receiveRefusal(answers()[0]?.ref, reason, status);
    await settle();
    await vi.advanceTimersByTimeAsync(500);
    expect(answers()).toHaveLength(2);
    newest().ack();
    expect(await outcome()).toBe('done');
    client.lobby.close();
    expect((await read()).types).not.toContain('error');
  });

  it.each([
    ['with its option', { answers: [{ userId: ID, selectedOptionId: 2 }] }, 'done'],
    ['with another option', { answers: [{ userId: ID, selectedOptionId: 1 }] }, 'ROUND_CLOSED'],
    ['without one', { answers: [{ userId: 'other', selectedOptionId: 2 }] }, 'ROUND_CLOSED'],
    ['with its option, in a compact lobby', { counts: {}, you: { selectedOptionId: 2 } }, 'done'],
    ['typed, with a verdict', typed('wrong'), 'done'],
    ['typed, without a verdict', typed(null), 'ROUND_CLOSED'],
  ])('without an ack ends by the result of its round, %s', async (how, fields, expected) => {
    await ask();
    const isTyped = how.startsWith('typed');
    const outcome = outcomeOf(isTyped ? client.lobby.answerText(ID, 'casa') : client.lobby.answer(ID, 2));
    (await reconnect()).enter(2);
    await judge(fields);
    expect(await outcome()).toBe(expected);
    (await reconnect()).enter(3);
    expect(answers()).toEqual([]);
  });

  it.each(['ROUND_CLOSED', 'NOT_IN_GAME'] as const)(
    'that is refused with %s when it is sent again ends by the result of its round, which is still to come',
    async (reason) => {
      await ask();
      const outcome = outcomeOf(client.lobby.answer(ID, 2));
      (await reconnect()).enter(2);
      newest().receiveRefusal(answers()[0]?.ref, reason);
      expect(await outcome()).toBe('waits');
      await judge({ answers: [{ userId: ID, selectedOptionId: 2 }] });
      expect(await outcome()).toBe('done');
    },
  );

  it('ends by `yourAnswer` of a snapshot [contract 23]', async () => {
    await ask();
    newest().onclose?.({ code: 1006 });
    const outcome = outcomeOf(client.lobby.answer(ID, 2));
    await vi.advanceTimersByTimeAsync(1000);
    const snapshot = { ...question(2), snapshot: true, yourAnswer: { optionId: 2 } };
    newest().enter(2).receive(snapshot);
    expect(await outcome()).toBe('done');
  });

  const OTHER_ID = '7c0c7a0e-43a1-4c8a-8d3f-0a4f1f1c2f11';

  it('to a question that is not open is refused, and so is one to a later question’s predecessor', async () => {
    await ask();
    const outcome = outcomeOf(client.lobby.answer(OTHER_ID, 1));
    newest().receiveRefusal(answers()[0]?.ref, 'ROUND_CLOSED');
    expect(await outcome()).toBe('ROUND_CLOSED');
    const late = outcomeOf(client.lobby.answer(ID, 1));
    newest().receive(question(3, undefined, OTHER_ID));
    expect(await late()).toBe('ROUND_CLOSED');
  });

  it('to a question that has another one is refused, as an error event too', async () => {
    await ask();
    void client.lobby.answer(ID, 2);
    const second = outcomeOf(client.lobby.answer(ID, 3));
    newest().receiveRefusal(answers()[1]?.ref, 'ALREADY_ANSWERED');
    expect(await second()).toBe('ALREADY_ANSWERED');
    client.lobby.close();
    expect((await read()).types).toContain('error');
  });

  it('that waits when the connection is closed, or is given later, ends with CLOSED', async () => {
    await ask();
    const outcomes = [outcomeOf(client.lobby.answer(ID, 2))];
    client.lobby.close();
    outcomes.push(outcomeOf(client.lobby.answer(ID, 2)));
    for (const outcome of outcomes) expect(await outcome()).toBe('CLOSED');
  });
});

describe('a host', () => {
  const actions = {
    'lobby:start': () => client.lobby.start(),
    'game:next': () => client.lobby.next(2, 'intermission'),
    'game:end': () => client.lobby.end(),
    'lobby:again': () => client.lobby.again(),
    'lobby:kick': () => client.lobby.kick(ID),
    'lobby:lock': () => client.lobby.lock(true),
    'lobby:configure': () => client.lobby.configure({ capacity: 9, settings: { rounds: 5 } }),
  };

  it('can send each command, which waits for its ack or its refusal', async () => {
    newest().enter();
    const outcomes = Object.values(actions).map((act) => outcomeOf(act()));
    expect(commands().map(({ ref: _, ...message }) => message)).toEqual([
      { type: 'lobby:start' },
      { type: 'game:next', round: 2, phase: 'intermission' },
      { type: 'game:end' },
      { type: 'lobby:again' },
      { type: 'lobby:kick', userId: ID },
      { type: 'lobby:lock', locked: true },
      { type: 'lobby:configure', capacity: 9, settings: { rounds: 5 } },
    ]);
    const [start, ...others] = commands();
    newest().receiveRefusal(start?.ref, 'LOBBY_NOT_WAITING');
    for (const { ref } of others) newest().receive({ type: 'ack', ref });
    const results = await Promise.all(outcomes.map((outcome) => outcome()));
    expect(results).toEqual(['LOBBY_NOT_WAITING', ...others.map(() => 'done')]);
    client.lobby.close();
    expect((await read()).types).toEqual(['lobby:state', 'error']);
  });

  it.each([
    ['lobby:start', 'LOBBY_NOT_WAITING'],
    ['lobby:again', 'LOBBY_NOT_FINISHED'],
    ['game:next', 'ROUND_CLOSED'],
    ['game:next', 'NOT_IN_GAME'],
    ['game:end', 'NOT_IN_GAME'],
    ['lobby:kick', 'PLAYER_NOT_FOUND'],
  ] as const)('sends %s again once after a reconnection, and %s then says that it is done', async (type, reason) => {
    newest().enter();
    const outcome = outcomeOf(actions[type]());
    (await reconnect()).enter();
    expect(commands()).toMatchObject([{ type }]);
    newest().receiveRefusal(commands()[0]?.ref, reason);
    expect(await outcome()).toBe('done');
    (await reconnect()).enter();
    expect(commands()).toEqual([]);
    client.lobby.close();
    expect((await read()).types).toEqual(['lobby:state']);
  });

  it('without a connection sends commands after the reconnect, the last one last', async () => {
    newest().enter();
    newest().onclose?.({ code: 1006 });
    void client.lobby.kick(ID);
    for (const locked of [true, false, true]) void client.lobby.lock(locked);
    await vi.advanceTimersByTimeAsync(1000);
    newest().enter();
    expect(commands()).toMatchObject([
      { type: 'lobby:kick' },
      { type: 'lobby:lock', locked: false },
      { type: 'lobby:lock', locked: true },
    ]);
  });
});

describe('leaving', () => {
  it('ends when the service confirms it', async () => {
    newest().enter();
    const left = client.lobby.leave();
    expect(commands()).toMatchObject([{ type: 'lobby:leave' }]);
    newest().ack();
    await left;
    expect(await read()).toEqual({ types: ['lobby:state'] });
  });

  it('is sent again if the connection broke meanwhile', async () => {
    newest().enter();
    const left = client.lobby.leave();
    (await reconnect()).enter();
    expect(commands()).toMatchObject([{ type: 'lobby:leave' }]);
    (await reconnect()).onopen?.();
    newest().receiveRefusal('live:join', 'NOT_A_MEMBER', 403);
    await left;
    expect(await read()).toEqual({ types: ['lobby:state'] });
  });
});

const askWithPromise = () =>
  newest()
    .enter()
    .receive(question(2, commitmentOf(3)));

describe('a commitment', () => {
  it('that matches causes no event', async () => {
    askWithPromise();
    newest().receive(result(3, 3, NONCE));
    newest().lobbyState(4);
    await settle(() => client.lobby.position?.seq === 4);
    client.lobby.close();
    expect((await read()).types.slice(1)).toEqual(['game:question', 'game:answer_result', 'lobby:state']);
  });

  it.each([
    ['another answer', result(3, 2, NONCE)],
    ['another nonce', result(3, 3, 'other')],
    ['no nonce', result(3, 3)],
    ['another promise for the same question', question(3, commitmentOf(2))],
    ['no promise any more', question(3)],
  ])('that is broken by %s ends the connection with COMMITMENT_BROKEN', async (_, message) => {
    askWithPromise();
    newest().receive(message);
    const { types, error } = await read();
    expect(types).toEqual(['lobby:state', 'game:question']);
    expect(error).toMatchObject({ status: 0, code: 'COMMITMENT_BROKEN' });
  });

  it('is part of the position from which another connection continues', async () => {
    askWithPromise();
    await settle();
    client.lobby.close();
    const { position } = client.lobby;
    expect(position).toEqual(JSON.parse(JSON.stringify(position)));
    client.lobby = connect(position);
    newest().onopen?.();
    newest().receive(result(3, 2, NONCE));
    expect((await read()).error).toMatchObject({ code: 'COMMITMENT_BROKEN' });
  });

  it('is that of the right text where answers are typed [contract 20]', async () => {
    const opened = { questionId: ID, correctText: 'l’auto', nonce: NONCE };
    const commitment = createHash('sha256').update(`${ID}:l’auto:${NONCE}`).digest('base64url');
    await checkCommitment(commitment, opened);
    const broken = checkCommitment(commitment, { ...opened, correctText: 'auto' });
    await expect(broken).rejects.toMatchObject({ code: 'COMMITMENT_BROKEN' });
  });
});

it('leaves no timer behind, so that the program can end, when it is closed', async () => {
  const away = { type: 'error', message: 'No.', code: 503, reason: 'UNAVAILABLE' };
  const busy = { ...away, code: 429, reason: 'RATE_LIMITED', retryAfterMs: 60_000 };
  // After a refused answer, after a refused `lobby:leave`, and in the pause before a reconnect.
  const program = `
    import { connectLobby } from './src/client/lobby.ts';
    import { FakeSocket } from './test/support/fake-socket.ts';
    const enter = (act) => {
      const socket = new FakeSocket();
      const lobby = connectLobby({ code: 'ABC123', transport: 'auto', openSocket: () => socket });
      socket.enter().receive(${JSON.stringify(question(2))});
      act(lobby, socket);
      return lobby;
    };
    const lobbies = [
      enter((lobby, socket) => {
        lobby.answer('${ID}', 1);
        socket.receive(${JSON.stringify({ ...busy, ref: 'game:answer 1' })});
      }),
      enter((lobby, socket) => {
        void lobby.leave();
        socket.receive(${JSON.stringify({ ...away, ref: 'lobby:leave 1' })});
      }),
      enter((lobby, socket) => socket.onclose({ code: 1006 })),
    ];
    setImmediate(() => {
      const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
      const before = timers();
      for (const lobby of lobbies) lobby.close();
      console.log(before >= 3, timers());
      process.exit();
    });`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 });
  expect(stdout).toBe('true 0\n');
});
