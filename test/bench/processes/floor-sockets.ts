// The least that open sockets need: a bare server that sends one message to each.
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ port: Number(process.env.PORT), host: '127.0.0.1' });
server.on('connection', (socket) => {
  socket.on('message', () => socket.send(JSON.stringify({ type: 'ack', ref: 'join' })));
});
await new Promise((resolve) => server.once('listening', resolve));
