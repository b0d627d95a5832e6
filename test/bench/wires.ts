// The socket protocols that are compared: the service's, the bare floor's, and Socket.IO's.
import type { Seat, Wire } from './players.ts';

export const OURS: Wire = {
  path: '/ws',
  join: ({ room }) => JSON.stringify({ type: 'lobby:join', code: room }),
  start: () => JSON.stringify({ type: 'lobby:start' }),
  answer: (_seat, _round, questionId) => JSON.stringify({ type: 'game:answer', questionId, optionId: 1 }),
  read: (text) => text,
};

const floorMessage = (type: string, { room, user, players, rounds }: Seat, round = 0) =>
  JSON.stringify({ type, room, user, players, rounds, round });

export const FLOOR: Wire = {
  path: '/',
  join: (seat) => floorMessage('join', seat),
  start: (seat) => floorMessage('start', seat),
  answer: (seat, round) => floorMessage('answer', seat, round),
  read: (text) => text,
};

/** The prefix of an Engine.IO packet with an event named `m`. */
const EVENT = '42["m",';
const event = (json: string) => `${EVENT}${json}]`;

export const SOCKET_IO: Wire = {
  path: '/socket.io/?EIO=4&transport=websocket',
  join: (seat) => event(FLOOR.join(seat)),
  start: (seat) => event(FLOOR.start(seat)),
  answer: (seat, round, questionId) => event(FLOOR.answer(seat, round, questionId)),
  hello: '40',
  read(text, say) {
    if (text === '2') say('3');
    if (text.startsWith(EVENT)) return text.slice(EVENT.length, -1);
    // The reply to the first frame, after which the client may send messages.
    return text.startsWith('40') ? '' : null;
  },
};
