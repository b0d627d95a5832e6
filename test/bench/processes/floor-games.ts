// The least that games over sockets need: a bare WebSocket server, Redis' pub/sub between the processes, and
// one small script for each answer.
import { Redis } from 'ioredis';
import { type WebSocket, WebSocketServer } from 'ws';
import { createFloorResults } from './floor-results.ts';
import { createFloorRoom, type FloorMessage } from './floor-room.ts';

const { PORT, REDIS_URL: redisUrl = '', DATABASE_URL } = process.env;
const isStoring = process.argv[2] === 'storing';
const redis = new Redis(redisUrl);
const subscriber = new Redis(redisUrl);
const rooms = new Map<string, Set<WebSocket>>();
const storeResult = isStoring ? await createFloorResults(DATABASE_URL) : undefined;
const publish = (room: string, event: object) => {
  void redis.spublish(room, JSON.stringify(event));
};
const { start, answer } = await createFloorRoom(redis, publish, storeResult);

subscriber.on('smessage', (room: string, text: string) => {
  for (const socket of rooms.get(room) ?? []) socket.send(text);
});

async function join(socket: WebSocket, room: string): Promise<void> {
  let sockets = rooms.get(room);
  if (!sockets) {
    sockets = new Set();
    rooms.set(room, sockets);
    await subscriber.ssubscribe(room);
  }
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  socket.send('{"type":"lobby:state"}');
}

const server = new WebSocketServer({ port: Number(PORT), host: '127.0.0.1' });
server.on('connection', (socket) => {
  socket.on('error', () => {});
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as FloorMessage;
    if (message.type === 'join') void join(socket, message.room);
    else if (message.type === 'start') start(message);
    else void answer(message);
  });
});
await new Promise((resolve) => server.once('listening', resolve));
