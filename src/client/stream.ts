// A lobby's messages over `fetch`, where no WebSocket gets through: the service's come as a stream of events, the
// player's go by POST. It looks like a WebSocket to live.ts. [contract 24]
import type { ApiError } from './api-error.ts';
import type { Call, ResponseLike } from './http.ts';
import type { EventPosition, LiveSocket } from './live.ts';
import type { ErrorMessage } from './types.ts';

/** The service sends a comment every 15 s; a stream that is silent for longer than this, ms, is broken. */
const SILENCE_MS = 35_000;
const LEFT: ErrorMessage = { type: 'error', code: 409, reason: 'NOT_IN_LOBBY', message: 'You have left.' };
/** The service ends a stream after a minute. */
const TIMEOUT_MS = 600_000;

/** @param last the event after which the stream begins */
export function openStream(call: Call, code: string, last: EventPosition | undefined): LiveSocket {
  const aborter = new AbortController();
  const { signal } = aborter;
  const path = `/api/v1/lobbies/${encodeURIComponent(code)}/`;
  /** Requests follow one another, as messages on a socket do. */
  let sent = Promise.resolve();
  const stream = {
    silenceMs: SILENCE_MS,
    send(text: string) {
      const { ref, ...message } = JSON.parse(text);
      // The stream itself has joined the lobby.
      if (message.type !== 'lobby:join') sent = sent.then(() => post(ref, message));
    },
    close: () => aborter.abort(),
  } as LiveSocket;

  function end(refusal?: ErrorMessage, code = 1006): void {
    if (signal.aborted) return;
    stream.close();
    stream.onclose?.({ code, refusal });
  }

  function give(message: object, isAside = false): void {
    if (!signal.aborted) stream.onmessage?.({ data: JSON.stringify(message), isAside });
  }

  async function post(ref: string, message: object): Promise<void> {
    if (signal.aborted) return;
    try {
      const answer = await call<{ messages: object[] } | undefined>('POST', `${path}messages`, message, { signal });
      for (const each of answer?.messages ?? []) give(each, true);
      give({ type: 'ack', ref });
    } catch (error) {
      const refusal = refusalOf(error as ApiError);
      if (refusal.code) give({ ...refusal, ref });
      else end();
    }
  }

  async function read({ body }: ResponseLike): Promise<void> {
    stream.onopen?.();
    const reader = body.getReader();
    const decoder = new TextDecoder();
    for (let rest = ''; !signal.aborted; ) {
      const { done, value } = await reader.read();
      if (done) return;
      // A comment also shows that the stream is alive.
      stream.onmessage?.({ data: '' });
      const events = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = events.pop() as string;
      for (const event of events) {
        // Texts may have line separators that `^` and `.` would take for the end of a line.
        const [, type] = /(?:^|\n)event: ([^\n]*)/.exec(event) ?? [];
        const [, data] = /(?:^|\n)data: ([^\n]*)/.exec(event) ?? [];
        // The user has left the lobby from another window.
        if (type === 'end') end(LEFT);
        else if (type === 'close') end(undefined, JSON.parse(data ?? '').code);
        else if (!type && data) give(JSON.parse(data));
      }
    }
  }

  const query = last ? `?since=${last.seq}&mark=${encodeURIComponent(last.mark)}` : '';
  call('GET', `${path}events${query}`, undefined, { signal, timeoutMs: TIMEOUT_MS, read }).then(
    () => end(),
    (error) => end(refusalOf(error)),
  );
  return stream;
}

/** @returns the refusal of a request as a socket gets it; its code is 0 where there is no connection */
function refusalOf({ status = 0, code: reason, message, retryAfterMs }: ApiError): ErrorMessage {
  return { type: 'error', code: status, reason, message, retryAfterMs } as ErrorMessage;
}
