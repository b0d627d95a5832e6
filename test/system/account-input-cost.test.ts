// No body that is sent to an account path blocks the event loop for 10 ms, whatever its texts are. [contract 17]
import { describe, it } from 'vitest';
import { authOperations } from '../support/fuzz/operations.ts';
import { BODY_BYTES, expectCheap, HARMLESS_PART, sendRawRequest, useSender } from '../support/input-cost.ts';
import { useService } from '../support/service.ts';

const { service } = useService({ RATE_LIMIT_ACCOUNT_MAX: '1000000', GUESTS: 'true' });
const sender = useSender(service);

describe('[contract 17] the event loop is not blocked for 10 ms', () => {
  it('by any body of an operation on accounts, described or not', async () => {
    await sender.expectCheapBodies(authOperations(service.services.auth, sender.openapi));
  }, 600_000);

  it('by any form that is sent to an operation on accounts', async () => {
    const types = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
    const bodies = ['a=b&', 'email=a&', '%41', `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n`];
    const path = '/api/auth/sign-up/email';
    for (const type of types)
      for (const part of bodies) {
        const send = (text: string) => () => {
          const headers = { cookie: sender.cookie, 'content-type': type };
          return sendRawRequest(service.url, { method: 'POST', path, headers, body: Buffer.from(text) });
        };
        const hostile = part.repeat(BODY_BYTES / part.length);
        await expectCheap(`${type} ${part}`, send(hostile), send(HARMLESS_PART.repeat(9000)));
      }
  });
});
