// The client library's lobby, against a fake service. [contract 12, 15]
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { ID, question, result, settle, useLobbyConnection } from '../support/lobby-connection.ts';

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
    newest().receive({ type: 'lobby:state', seq: 3, mark: '3', lobby: {} });
    (await reconnect()).enter(3).receive(question(3));
    await settle();
    client.lobby.close();
    expect((await read()).types).toEqual(['lobby:state', 'game:question', 'lobby:state']);
    expect(repeated).toEqual(['lobby:state', 'game:question']);
  });

  it('[contract 16] of another history are passed on, and an answer that it may lack is sent again', async () => {
    newest().enter(1).receive(question(2));
    await settle();
    client.lobby.answer(ID, 1);
    newest().receive(result(3, 2));
    newest().receive({ type: 'lobby:state', seq: 3, mark: 'other', snapshot: true, lobby: {} });
    newest().receive({ ...question(3), mark: 'other', snapshot: true });
    newest().receive(result(4, 2));
    await settle(() => client.lobby.position?.seq === 4);
    client.lobby.close();
    expect((await read()).types).toEqual([
      'lobby:state',
      'game:question',
      'game:answer_result',
      'lobby:state',
      'game:question',
      'game:answer_result',
    ]);
    const answers = newest().sent.filter(({ type }) => type === 'game:answer');
    expect(answers).toMatchObject([{ optionId: 1 }, { optionId: 1, ref: `again ${ID}` }]);
  });

  it('that another connection has passed on are not passed on again', async () => {
    newest().enter(4);
    await settle();
    client.lobby.close();
    client.lobby = connect(client.lobby.position);
    newest().enter(4).receive({ type: 'lobby:state', seq: 5, mark: '5', lobby: {} });
    await settle();
    const first = await client.lobby[Symbol.asyncIterator]().next();
    expect(first.value).toMatchObject({ seq: 5 });
  });

  it.each([
    ['lobby:closed', { seq: 2, mark: '2' }],
    ['lobby:kicked', {}],
  ])('end with %s', async (type, numbers) => {
    newest()
      .enter()
      .receive({ type, code: 'ABC123', ...numbers });
    expect((await read()).types).toEqual(['lobby:state', type]);
    expect(client.lobby.status).toBe('ended');
  });

  it('are not passed to a listener that was removed', async () => {
    const received: string[] = [];
    const remove = client.lobby.on('lobby:state', () => received.push('state'));
    newest().enter();
    await settle();
    remove();
    newest().receive({ type: 'lobby:state', seq: 2, mark: '2', lobby: {} });
    await settle();
    expect(received).toEqual(['state']);
  });

  it('end with an error if the lobby refuses the client', async () => {
    newest().onopen?.();
    newest().receiveRefusal('live:join', 'LOBBY_NOT_FOUND', 404);
    const { error } = await read();
    expect(error).toMatchObject({ name: 'ApiError', status: 404, code: 'LOBBY_NOT_FOUND' });
  });
});

describe('an answer', () => {
  const answers = () => newest().sent.filter(({ type }) => type === 'game:answer');

  it('is sent after the reconnect if there is no connection', async () => {
    newest().enter().receive(question(2));
    newest().onclose?.({ code: 1006 });
    client.lobby.answer(ID, 2);
    await vi.advanceTimersByTimeAsync(1000);
    newest().enter(2);
    expect(answers()).toMatchObject([{ questionId: ID, optionId: 2, ref: `answer ${ID}` }]);
  });

  it('is sent again after a reconnect, and a refusal because of another device’s is not reported then', async () => {
    newest().enter().receive(question(2));
    client.lobby.answer(ID, 2);
    (await reconnect()).enter(2);
    expect(answers()).toMatchObject([{ optionId: 2 }]);
    newest().receiveRefusal(answers()[0]?.ref as string, 'ALREADY_ANSWERED');
    await settle();
    client.lobby.close();
    expect((await read()).types).not.toContain('error');
  });

  it('is sent again after an outage of a store, until its round is judged', async () => {
    newest().enter().receive(question(2));
    client.lobby.answer(ID, 2);
    newest().receiveRefusal(answers()[0]?.ref, 'UNAVAILABLE', 503);
    await settle();
    await vi.advanceTimersByTimeAsync(1000);
    expect(answers()).toHaveLength(2);
    newest().receive(result(3, 2));
    await settle(() => client.lobby.position?.seq === 3);
    (await reconnect()).enter(3);
    expect(answers()).toHaveLength(0);
  });

  it('is sent again every one to two seconds, until an ack shows that the service has it', async () => {
    const answered: string[] = [];
    client.lobby.on('answered', ({ questionId }) => answered.push(questionId));
    newest().enter().receive(question(2));
    client.lobby.answer(ID, 2);
    await vi.advanceTimersByTimeAsync(999);
    expect(answers()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(4001);
    expect(answers().length).toBeGreaterThanOrEqual(3);
    newest().receive({ type: 'ack', ref: answers().at(-1)?.ref });
    await settle();
    const { length } = answers();
    await vi.advanceTimersByTimeAsync(20_000);
    expect({ answered, sent: answers().length }).toEqual({ answered: [ID], sent: length });
  });

  it('that is sent into a dead connection leads to another connection', async () => {
    newest().enter().receive(question(2));
    const dead = newest();
    client.lobby.answer(ID, 2);
    await vi.advanceTimersByTimeAsync(2000 + 5000 + 500);
    expect(dead.isClosed).toBe(true);
    newest().enter(2);
    expect(answers()).toMatchObject([{ optionId: 2 }]);
  });

  it('is still sent again when the refusal of an earlier question’s answer comes late', async () => {
    newest().enter().receive(question(2));
    client.lobby.answer(ID, 2);
    await vi.advanceTimersByTimeAsync(2000);
    const late = answers().at(-1)?.ref;
    const next = '7c0c7a0e-43a1-4c8a-8d3f-0a4f1f1c2f11';
    newest().receive(result(3, 2));
    newest().receive(question(4, undefined, next));
    await settle(() => client.lobby.position?.seq === 4);
    client.lobby.answer(next, 1);
    newest().receiveRefusal(late, 'ROUND_CLOSED');
    await settle();
    await vi.advanceTimersByTimeAsync(2000);
    expect(answers().filter(({ questionId }) => questionId === next)).toHaveLength(2);
  });

  it('to a question that has one is refused, and the refusal is reported', async () => {
    newest().enter().receive(question(2));
    client.lobby.answer(ID, 2);
    client.lobby.answer(ID, 3);
    newest().receiveRefusal('game:answer', 'ALREADY_ANSWERED');
    await settle();
    client.lobby.close();
    expect((await read()).types).toContain('error');
  });
});

describe('a host', () => {
  const sentCommands = () => newest().sent.filter(({ ref }) => !ref?.startsWith('live:'));

  it('can send each command', () => {
    newest().enter();
    client.lobby.start();
    client.lobby.next(2, 'intermission');
    client.lobby.end();
    client.lobby.again();
    client.lobby.kick(ID);
    client.lobby.lock(true);
    client.lobby.configure({ capacity: 9, settings: { rounds: 5 } });
    expect(sentCommands().map(({ ref: _, ...message }) => message)).toEqual([
      { type: 'lobby:start' },
      { type: 'game:next', round: 2, phase: 'intermission' },
      { type: 'game:end' },
      { type: 'lobby:again' },
      { type: 'lobby:kick', userId: ID },
      { type: 'lobby:lock', locked: true },
      { type: 'lobby:configure', capacity: 9, settings: { rounds: 5 } },
    ]);
  });

  it('without a connection sends commands after the reconnect, the last one last', async () => {
    newest().enter();
    newest().onclose?.({ code: 1006 });
    client.lobby.kick(ID);
    for (const locked of [true, false, true]) client.lobby.lock(locked);
    await vi.advanceTimersByTimeAsync(1000);
    newest().enter();
    expect(sentCommands()).toMatchObject([
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
    expect(newest().sent.slice(-2)).toMatchObject([{ type: 'lobby:leave' }, { type: 'game:ready' }]);
    newest().receiveRefusal('live:ready', 'NOT_IN_LOBBY');
    await left;
    expect(await read()).toEqual({ types: ['lobby:state'] });
  });

  it('is sent again if the connection broke meanwhile', async () => {
    newest().enter();
    const left = client.lobby.leave();
    (await reconnect()).enter();
    expect(newest().sent.map(({ type }) => type)).toContain('lobby:leave');
    (await reconnect()).onopen?.();
    newest().receiveRefusal('live:join', 'NOT_A_MEMBER', 403);
    await left;
  });
});

describe('leaves no timer behind, so that the program can end, when it is closed', () => {
  const refusal = { type: 'error', message: 'No.' };
  const busy = { ...refusal, code: 429, reason: 'RATE_LIMITED', retryAfterMs: 60_000 };
  const away = { ...refusal, code: 503, reason: 'UNAVAILABLE' };

  it.each([
    [
      'after a refused answer',
      `lobby.answer('${ID}', 1);
      socket.receive(${JSON.stringify({ ...busy, ref: 'game:answer' })});`,
    ],
    [
      'after a refused `lobby:leave`',
      `void lobby.leave();
      socket.receive(${JSON.stringify({ ...away, ref: 'lobby:leave' })});`,
    ],
    ['in the pause before a reconnect', 'socket.onclose({ code: 1006 });'],
  ])('%s', async (_when, act) => {
    const program = `
      import { connectLobby } from './src/client/lobby.ts';
      import { FakeSocket } from './test/support/fake-socket.ts';
      const socket = new FakeSocket();
      const lobby = connectLobby({ code: 'ABC123', openSocket: () => socket, isSignedIn: async () => true });
      socket.enter().receive(${JSON.stringify(question(2))});
      ${act}
      setImmediate(() => {
        const hasTimers = () => process.getActiveResourcesInfo().includes('Timeout');
        const before = hasTimers();
        lobby.close();
        console.log(before, hasTimers());
        process.exit();
      });`;
    const args = ['--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 });
    expect(stdout).toBe('true false\n');
  });
});
