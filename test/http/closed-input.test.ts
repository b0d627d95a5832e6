// No operation takes a field that it does not know, or an id that can't be one. [contract 1, 10]
import { expect, it } from 'vitest';
import { type RegisteredRoute, registeredRoutes } from '../support/edge.ts';
import { createHttpClient } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { createSignedInUser } from '../support/users.ts';

const { service } = useService({ GUESTS: 'true' });

const ID = '00000000-0000-4000-8000-000000000000';

/** @returns every operation under /api/v1, apart from HEAD, whose replies have no body */
function operations(): RegisteredRoute[] {
  const found = registeredRoutes(service.app).filter(
    ({ method, path }) => path.startsWith('/api/v1/') && method !== 'HEAD',
  );
  expect(found.length).toBeGreaterThan(25);
  expect(found).toContainEqual({ method: 'GET', path: '/api/v1/games/:gameId' });
  return found;
}

async function refusalsOf(addressOf: (path: string) => string, from = operations()) {
  const { cookie } = await createSignedInUser(service.services);
  const client = createHttpClient(service.url, { cookie });
  return Promise.all(
    from.map(async ({ method, path }) => {
      const { status, body } = await client.request(method, addressOf(path));
      return { route: `${method} ${path}`, status, code: body?.code, errors: body?.errors };
    }),
  );
}

it('every operation refuses an unknown field of the query, without naming it', async () => {
  const filled = (path: string) => path.replace(/:\w*Id\b/g, ID).replace(/:\w+/g, 'ZZZZZZ');
  for (const query of ['?secret=1', '?secret', '?=', '?secret=1&secret=2', '?__proto__=1']) {
    for (const refusal of await refusalsOf((path) => filled(path) + query))
      expect(refusal).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        errors: expect.arrayContaining([{ path: '', message: 'has an unknown field' }]),
      });
  }
});

it('every operation refuses an id in its path that is no UUID', async () => {
  const withIds = operations().filter(({ path }) => /:\w*Id\b/.test(path));
  expect(withIds.length).toBeGreaterThan(5);
  for (const id of ['x', `${ID}0`, '%20', `${ID}%00`, '..%2fx'])
    for (const refusal of await refusalsOf((path) => path.replace(/:\w+/g, id), withIds))
      expect(refusal).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
});
