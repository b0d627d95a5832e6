// The client library's connection to a lobby, against a fake service.
import { describe, expect, it, vi } from 'vitest';
import { useLiveConnection } from '../support/live-connection.ts';

const { client, sockets, events, statuses, ends, start, enter, newest, seqs, nextSocket } = useLiveConnection();

describe('entering', () => {
  it('joins, asks for the current state, and is live from the first event on', () => {
    const socket = start();
    expect(socket.sent).toEqual([]);
    socket.onopen?.();
    expect(socket.sent).toEqual([
      { type: 'lobby:join', code: 'ABC123', ref: 'live:join' },
      { type: 'game:ready', ref: 'live:ready' },
    ]);
    expect(statuses).toEqual([]);
    socket.lobbyState(7);
    expect(statuses).toEqual(['live']);
    expect(client.last?.seq).toBe(7);
  });
});

describe('[contract 5.9] the numbers of events', () => {
  it('a snapshot with the last event’s number is passed on and does not count', () => {
    const socket = enter(3);
    socket.receive({ type: 'game:question', seq: 3, mark: 'of 3' });
    expect(events.map(({ type }) => type)).toEqual(['lobby:state', 'game:question']);
    expect(client.last?.seq).toBe(3);
  });

  it('a snapshot that is ahead waits until the events before it have arrived', () => {
    const socket = enter(3);
    socket.receive({ type: 'game:question', seq: 6, mark: 'of 6' });
    expect(client.last?.seq).toBe(3);
    for (const seq of [4, 5, 6]) socket.receive({ type: 'game:answer_result', seq, mark: `of ${seq}` });
    expect(seqs()).toEqual([3, 4, 5, 6]);
    expect(client.last?.seq).toBe(6);
  });

  it('[contract 16] a state with a number that is too high starts another history', () => {
    const socket = enter(3);
    socket.lobbyState(9, 'anew');
    socket.receive({ type: 'game:question', seq: 9, mark: 'anew' });
    socket.lobbyState(10, 'and on');
    expect(seqs()).toEqual([3, 9, 9, 10]);
    expect(client.last).toEqual({ seq: 10, mark: 'and on' });
  });

  it('a snapshot that is older than the last event is dropped', () => {
    const socket = enter(3);
    socket.lobbyState(4);
    socket.receive({ type: 'game:question', seq: 3, mark: 'of 3' });
    socket.lobbyState(5);
    expect(seqs()).toEqual([3, 4, 5]);
  });

  it.each([2, 29, 30])(
    '[contract 16] another mark with the known number %i starts another history, which continues from there',
    (seq) => {
      const socket = enter(28);
      for (const next of [29, 30]) socket.lobbyState(next);
      socket.lobbyState(seq, 'anew');
      expect(client.last).toEqual({ seq, mark: 'anew' });
      socket.receive({ type: 'game:question', seq, mark: 'anew' });
      socket.lobbyState(seq + 1, 'and on');
      expect(seqs()).toEqual([28, 29, 30, seq, seq, seq + 1]);
      expect(client.last).toEqual({ seq: seq + 1, mark: 'and on' });
    },
  );

  it('are remembered for the newest hundred events only', () => {
    const socket = enter(1);
    for (let seq = 2; seq <= 150; seq++) socket.lobbyState(seq);
    socket.receive({ type: 'game:question', seq: 51, mark: 'of 51' });
    expect(client.last?.seq).toBe(150);
    socket.receive({ type: 'game:question', seq: 50, mark: 'of 50' });
    expect(client.last?.seq).toBe(50);
  });
});

describe('messages', () => {
  it('are sent while the connection is live, and are not queued otherwise', async () => {
    const socket = enter(1);
    expect(client.live.send({ type: 'lobby:start', ref: 'start' })).toBe(true);
    expect(socket.sent.at(-1)).toEqual({ type: 'lobby:start', ref: 'start' });
    socket.onclose?.({ code: 1006 });
    expect(client.live.send({ type: 'lobby:start' })).toBe(false);
    (await nextSocket()).onopen?.();
    expect(newest().typesSent()).toEqual(['lobby:join', 'game:ready']);
  });

  it('[contract 10] end the connection if the user has left the lobby in another window', () => {
    const socket = enter(1);
    client.live.wake();
    socket.receiveRefusal('live:ready', 'NOT_IN_LOBBY');
    expect(ends).toEqual(['NOT_IN_LOBBY']);
  });

  it('are neither received nor sent after `stop`', async () => {
    const socket = enter(1);
    client.live.stop();
    socket.lobbyState(2);
    client.live.wake();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seqs()).toEqual([1]);
    expect(sockets).toHaveLength(1);
    expect(socket.typesSent()).toEqual(['lobby:join', 'game:ready']);
    expect(ends).toEqual([]);
  });
});
