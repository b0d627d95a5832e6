// A foreign page, or one of a sibling subdomain, makes a browser send requests to the accounts: none of them
// has an effect. [contract 6, 17]
import { expect, it } from 'vitest';
import { authOperations } from '../support/fuzz/operations.ts';
import { createHttpClient } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { createSignedInUser, givePassword } from '../support/users.ts';

const PASSWORD = 'correct horse';
const FOREIGN = ['https://evil.example', 'http://sibling.127.0.0.1', 'null'];

const { service } = useService();

it('a request from a foreign origin is refused at every account endpoint, signed in or not', async () => {
  const { services, url } = service;
  const { body: document } = await createHttpClient(url).get('/api/openapi.json');
  const operations = authOperations(services.auth, document).filter(({ method }) => method === 'POST');
  expect(operations.length).toBeGreaterThan(20);
  const user = await createSignedInUser(services);
  await givePassword(services, user.id, PASSWORD);
  const { email } = user;
  for (const origin of FOREIGN) {
    const page = createHttpClient(url, { origin, cookie: user.cookie });
    for (const { path, name } of operations) {
      const address = path.replace(/\{\w+\}/g, 'x');
      const body = { email, password: PASSWORD, name: 'Eve', token: 'x' };
      const { status } = await page.post(address, body);
      expect([403, 404, 405], `${name} from ${origin}: ${status}`).toContain(status);
    }
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    const stranger = createHttpClient(url, { origin });
    const signIn = await stranger.post('/api/auth/sign-in/email', { email, password: PASSWORD }, headers);
    expect(signIn.status).toBe(403);
    expect(stranger.cookie()).toBe('');
  }
  const own = createHttpClient(url, { cookie: user.cookie });
  expect((await own.get('/api/auth/get-session')).body.user).toMatchObject({ name: user.name, email });
});

it('no GET request changes an account', async () => {
  const user = await createSignedInUser(service.services);
  const client = createHttpClient(service.url, { cookie: user.cookie });
  for (const path of ['sign-out', 'delete-user', 'revoke-sessions', 'update-user?name=Eve'])
    expect((await client.get(`/api/auth/${path}`)).status).toBeGreaterThanOrEqual(404);
  expect((await client.get('/api/auth/get-session')).body.user.name).toBe(user.name);
});
