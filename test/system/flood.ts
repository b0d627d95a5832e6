// A signed-in attacker: its sockets send frames of one kind without a pause and reconnect whenever they are
// closed. It runs as its own process, so that its CPU time is not counted as the service's:
// node test/system/flood.ts URL COOKIE KIND SOCKETS
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { frameOf, handshakeOf } from '../support/upgrade.ts';

const BATCH_BYTES = 64 * 1024;

/** The first byte of the frame (FIN, RSV and opcode), and the payload. Reserved bits end the socket, as other errors do. */
const FRAMES = {
  text: [0x81, '{}'],
  'large text': [0x81, JSON.stringify({ type: 'game:ready', ref: 'x'.repeat(16_000) })],
  'reserved bits': [0xf1, '{}'],
  ping: [0x89, ''],
  fragments: [0x00, ''],
} as const;

export type FloodKind = keyof typeof FRAMES;
export const FLOOD_KINDS = Object.keys(FRAMES) as FloodKind[];

/** Starts the attacker's process. */
export function startFlood(url: string, cookie: string, kind: FloodKind, sockets: number) {
  const file = fileURLToPath(import.meta.url);
  const child: ChildProcess = spawn(process.execPath, [file, url, cookie, kind, `${sockets}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  return {
    /** Resolves when the first socket is open and sends frames. */
    started: once(child.stdout as NodeJS.ReadableStream, 'data'),
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function flood(url: URL, cookie: string, kind: FloodKind): void {
  const [opcode, payload] = FRAMES[kind];
  const one = frameOf(payload, opcode);
  const count = Math.max(1, Math.floor(BATCH_BYTES / one.length));
  const batch = Buffer.concat(Array.from({ length: count }, () => one));
  const socket: Socket = connect(Number(url.port), url.hostname, () => {
    socket.write(handshakeOf(cookie, url.host));
  });
  const pour = () => {
    while (!socket.destroyed && socket.write(batch));
  };
  socket.once('data', () => {
    process.stdout.write('.');
    // This frame begins a fragmented message that never ends.
    if (kind === 'fragments') socket.write(frameOf('', 0x01));
    socket.on('drain', pour);
    pour();
  });
  socket.on('data', () => {});
  socket.on('error', () => {});
  socket.on('close', () => setTimeout(() => flood(url, cookie, kind), 5));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [url = '', cookie = '', kind, sockets] = process.argv.slice(2);
  for (let index = 0; index < Number(sockets); index++) flood(new URL(url), cookie, kind as FloodKind);
}
