// The library sends requests that their caller can abort. [contract 15]
import { expect, it } from 'vitest';
import { createCall, type RequestOptions } from '../../src/client/http.ts';

it('a request whose signal is aborted before, or while it is under way, is aborted', async () => {
  const call = createCall({
    baseUrl: 'http://service',
    fetch: (_url, { signal }: RequestOptions) =>
      new Promise((_resolve, reject) => {
        if (signal.aborted) reject(new Error('aborted before'));
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  });
  const later = new AbortController();
  const requests = [AbortSignal.abort(), later.signal].map((signal) =>
    call('GET', '/', undefined, { signal, timeoutMs: 60_000 }),
  );
  later.abort();
  for (const request of requests) await expect(request).rejects.toMatchObject({ code: 'OFFLINE' });
});
