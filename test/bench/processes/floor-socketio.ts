// Does the same as floor-games.ts with the most common library: Socket.IO with its Redis adapter.
import { createServer } from 'node:http';
import { createAdapter } from '@socket.io/redis-adapter';
import { Redis } from 'ioredis';
import { Server } from 'socket.io';
import { createFloorRoom, type FloorMessage } from './floor-room.ts';

const { PORT, REDIS_URL: redisUrl = '' } = process.env;
const redis = new Redis(redisUrl);
const server = createServer();
const io = new Server(server, { transports: ['websocket'], adapter: createAdapter(redis, new Redis(redisUrl)) });
const { start, answer } = await createFloorRoom(redis, (room, event) => {
  io.to(room).emit('m', event);
});

io.on('connection', (socket) => {
  socket.on('m', (message: FloorMessage) => {
    if (message.type === 'join') {
      void socket.join(message.room);
      socket.emit('m', { type: 'lobby:state' });
    } else if (message.type === 'start') start(message);
    else void answer(message);
  });
});
await new Promise<void>((resolve) => server.listen(Number(PORT), '127.0.0.1', resolve));
