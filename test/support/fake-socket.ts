// A fake WebSocket for tests of the client library: the test plays the service.
import type { LiveSocket } from '../../src/client/live.ts';
import type { ErrorCode } from '../../src/errors.ts';

export class FakeSocket implements LiveSocket {
  onopen: LiveSocket['onopen'] = null;
  onmessage: LiveSocket['onmessage'] = null;
  onclose: LiveSocket['onclose'] = null;
  onerror: LiveSocket['onerror'] = null;
  silenceMs?: number;
  sent: { type: string; ref?: string; [field: string]: unknown }[] = [];
  isClosed = false;
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.isClosed = true;
  }
  receive(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  /** Opens the socket and sends the lobby's state up to this event, as after a join. */
  enter(seq = 1): this {
    this.onopen?.();
    this.lobbyState(seq, `${seq}`);
    return this;
  }
  lobbyState(seq: number, mark = `of ${seq}`): void {
    this.receive({ type: 'lobby:state', seq, mark, lobby: {} });
  }
  receiveRefusal(ref: string | undefined, reason: ErrorCode, code = 409): void {
    this.receive({ type: 'error', code, reason, message: 'No.', ref });
  }
  ack(): void {
    this.receive({ type: 'ack', ref: this.sent.at(-1)?.ref });
  }
  typesSent(): string[] {
    return this.sent.map(({ type }) => type);
  }
}
