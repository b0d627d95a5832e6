// The least that open sockets need: a bare server that sends one message to each.
import { WebSocketServer } from 'ws';

const [port] = process.argv.slice(2);
const server = new WebSocketServer({ port: Number(port), host: '127.0.0.1' });
server.on('connection', (socket) => {
  socket.on('message', () => socket.send(JSON.stringify({ type: 'ack', ref: 'join' })));
});
await new Promise((resolve) => server.once('listening', resolve));
