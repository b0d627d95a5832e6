// The settings that the page needs, and, on a developer's machine, the mails that are not sent. Only browsers on that
// machine can list them.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WebOptions } from '../../src/http/web.ts';
import type { OutboxMail } from '../../src/web/frame/page-schema.ts';
import { newFolder, PHONE, servePage, type TestEdge } from '../support/edge.ts';

describe('the settings of the page', () => {
  const config = async (change: Partial<WebOptions>, request: object = {}) => {
    const edge = await servePage(change);
    return (await edge.call({ url: '/web/config.json', ...request })).body;
  };
  const credentials = { clientId: 'id', clientSecret: 'secret' };
  const auth = (change: object) => ({ auth: { ...change } }) as Partial<WebOptions>;
  const withKey = { mail: { resendApiKey: 'key', outbox: 'x' } } as Partial<WebOptions>;

  it('name the social sign-ins that are configured, without their secrets', async () => {
    expect(await config({})).toMatchObject({ providers: [], oidcName: null });
    const both = await config(auth({ google: credentials, github: credentials }));
    expect(both.providers).toEqual(['google', 'github']);
    expect(JSON.stringify(both)).not.toContain('secret');
    expect((await config(auth({ github: credentials }))).providers).toEqual(['github']);
    const own = await config(auth({ oidc: { ...credentials, name: 'Our School' } }));
    expect(own).toMatchObject({ providers: ['oidc'], oidcName: 'Our School' });
    expect(JSON.stringify(own)).not.toContain('secret');
  });

  it('say whether people can sign up by email', async () => {
    expect((await config({})).emailSignUp).toBe(true);
    expect((await config(auth({ emailSignUp: false }))).emailSignUp).toBe(false);
  });

  it('say whether the outbox can be read on this device', async () => {
    expect((await config({})).outbox).toBe('here');
    expect((await config({}, PHONE)).outbox).toBe('elsewhere');
    expect((await config(withKey)).outbox).toBeNull();
    expect((await config({ production: true })).outbox).toBeNull();
  });

  it('have an address for other devices, where the page was opened as localhost on a developer’s machine', async () => {
    const corsOrigins = ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://192.168.1.5:3000'];
    expect((await config({ corsOrigins })).shareOrigin).toBe('http://192.168.1.5:3000');
    expect((await config({ corsOrigins }, PHONE)).shareOrigin).toBeNull();
    expect((await config({ corsOrigins, production: true })).shareOrigin).toBeNull();
    expect((await config({})).shareOrigin).toBeNull();
  });
});

describe('the outbox', () => {
  const URL_OF_MAIL = 'http://localhost:3000/api/auth/verify-email?token=t';

  async function serveOutbox(mails: object[], change: Partial<WebOptions> = {}): Promise<TestEdge> {
    const outbox = join(newFolder(), 'outbox.jsonl');
    for (const mail of mails) appendFileSync(outbox, `${JSON.stringify(mail)}\n`);
    return servePage({ mail: { outbox } as WebOptions['mail'], ...change });
  }
  const mail = (subject: string) => {
    return { to: 'ada@example.com', subject, text: 'x'.repeat(40_000), html: '<p>', url: URL_OF_MAIL };
  };

  it('lists the last mails, the newest first, to a browser on this machine', async () => {
    const subjects = Array.from({ length: 30 }, (_, index) => `mail ${index}`);
    const edge = await serveOutbox(subjects.map(mail));
    const { status, body, headers } = await edge.call('/web/outbox.json');
    const mails = body.mails as OutboxMail[];
    expect(status).toBe(200);
    expect(mails[0]).toEqual({ to: 'ada@example.com', subject: 'mail 29', url: URL_OF_MAIL });
    expect(mails.length).toBeGreaterThan(5);
    expect(mails.length).toBeLessThanOrEqual(20);
    expect(mails.at(-1)?.subject).toBe(`mail ${30 - mails.length}`);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('is empty before the first mail', async () => {
    const edge = await servePage();
    expect((await edge.call('/web/outbox.json')).body).toEqual({ mails: [] });
  });

  it.each([
    ['another device', PHONE],
    ['another device that claims to be this one', { ...PHONE, headers: { host: 'localhost:3000' } }],
    ['a foreign host name that resolves to this machine', { headers: { host: 'evil.example' } }],
    ['a proxy that sends X-Forwarded-For', { headers: { 'x-forwarded-for': '203.0.113.9' } }],
    ['a proxy that sends Forwarded', { headers: { forwarded: 'for=203.0.113.9' } }],
    ['a proxy that sends X-Amzn-Trace-Id', { headers: { 'x-amzn-trace-id': 'Root=1-67891233-abcdef012345678' } }],
  ])('is 404 for %s', async (_who, request) => {
    const edge = await serveOutbox([mail('secret')]);
    const answer = await edge.call({ url: '/web/outbox.json', ...request });
    expect(answer).toMatchObject({ status: 404, body: { code: 'ROUTE_NOT_FOUND' } });
  });

  it('is 404 for a proxy that sends none of these headers and speaks HTTP/1.0', async () => {
    const edge = await serveOutbox([mail('secret')]);
    const get = (version: string) =>
      edge.raw(`GET /web/outbox.json HTTP/${version}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(await get('1.1')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await get('1.0')).toMatch(/^HTTP\/1\.1 404 /);
  });

  it.each([
    ['in production', { production: true }],
    ['where mails are sent', { mail: { resendApiKey: 'key', outbox: 'x' } as WebOptions['mail'] }],
  ])('is 404 %s', async (_where, change) => {
    const edge = await serveOutbox([mail('secret')], change);
    expect((await edge.call('/web/outbox.json')).status).toBe(404);
  });
});
