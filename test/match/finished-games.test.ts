// Finished games are read one by one and as a list. [contract 4, 13]
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { GameSummary } from '../../src/match/schema.ts';
import { roundOf, storeGame } from '../support/exports.ts';
import { pagesOf } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { createPerson } from '../support/users.ts';

const { service } = useService();

const db = () => service.services.db;
const signIn = () => createPerson(service);

describe('GET /api/v1/games', () => {
  const at = new Date('2026-11-21T10:00:00.000Z');
  const idsOf = (games: GameSummary[]) => games.map(({ gameId }) => gameId);

  test('lists the caller’s finished games, those presented too, like the single game but without rounds', async () => {
    const { user, client } = await signIn();
    const other = await signIn();
    const played = await storeGame(db(), [user, other.user], { at: new Date('2026-11-20T10:00:00Z') });
    const presented = await storeGame(db(), [other.user], { at, presenterId: user.id });
    await storeGame(db(), [other.user], { at });
    const { status, body } = await client.get('/api/v1/games');
    expect(status).toBe(200);
    expect(idsOf(body.games)).toEqual([presented, played]);
    expect(body.next).toBeNull();
    const { rounds, ...alone } = (await client.get(`/api/v1/games/${played}`)).body;
    expect(rounds).toEqual([]);
    expect(body.games[1]).toEqual(alone);
  });

  test('pages by finishedAt, then id, newest first, with next as the opaque before of the next page', async () => {
    const { user, client } = await signIn();
    const times = ['2026-11-01', '2026-11-03', '2026-11-03', '2026-11-03', '2026-11-02'];
    const ids: string[] = [];
    for (const day of times) ids.push(await storeGame(db(), [user], { at: new Date(`${day}T10:00:00.123Z`) }));
    const sameDay = ids.slice(1, 4).toSorted().toReversed();
    const [first, second, third, fourth, fifth] = [...sameDay, ids[4], ids[0]];
    const pages = await pagesOf(client, '/api/v1/games?limit=2', 'before');
    expect(pages.map(({ games }) => idsOf(games))).toEqual([[first, second], [third, fourth], [fifth]]);
    // A page that ends with the last game has no next page.
    expect((await client.get('/api/v1/games?limit=5')).body.next).toBeNull();
  });

  test('refuses a limit or a cursor that cannot be one with 400', async () => {
    const { client } = await signIn();
    // PostgreSQL has no year 0.
    const noDay = Buffer.from(JSON.stringify(['0000-01-01T00:00:00.000Z', randomUUID()])).toString('base64url');
    for (const query of ['limit=0', 'limit=101', 'limit=1.5', 'before=nowhere', 'before=', `before=${noDay}`])
      expect((await client.get(`/api/v1/games?${query}`)).status, query).toBe(400);
  });
});

describe('GET /api/v1/games/:gameId as text/csv', () => {
  const evil = { id: randomUUID(), name: '=HYPERLINK("x")' };

  async function withRounds() {
    const { user, client } = await signIn();
    const round = roundOf({ prompt: 'a "word", said', gloss: '-minus', answers: [[], [0, 1, 2345]] });
    const { gloss, ...unglossed } = { ...round, round: 2, prompt: 'cr\rlf' };
    const gameId = await storeGame(db(), [user, evil], { rounds: [round, unglossed] });
    return { user, client, path: `/api/v1/games/${gameId}` };
  }

  test('has one line per player and round as in RFC 4180, in UTF-8 with a byte order mark, and CRLF', async () => {
    const { user, client, path } = await withRounds();
    const response = await fetch(`${service.url}${path}`, { headers: { accept: 'text/csv', cookie: client.cookie() } });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment;/);
    // `text()` would remove the byte order mark.
    const text = Buffer.from(await response.arrayBuffer()).toString('utf8');
    expect(text).toBe(
      [
        '\uFEFFround,prompt,gloss,correct,userId,player,answer,isCorrect,points,elapsedMs,reason',
        `1,"a ""word"", said",'-minus,casa,${evil.id},"'=HYPERLINK(""x"")",,false,0,,timeout`,
        `1,"a ""word"", said",'-minus,casa,${user.id},${user.name},casa,true,1,2345,timeout`,
        `2,"cr\rlf",,casa,${evil.id},"'=HYPERLINK(""x"")",,false,0,,timeout`,
        `2,"cr\rlf",,casa,${user.id},${user.name},casa,true,1,2345,timeout`,
        '',
      ].join('\r\n'),
    );
  });

  test('is JSON unless the client prefers text/csv', async () => {
    const { client, path } = await withRounds();
    for (const [accept, kind] of [
      [undefined, 'json'],
      ['*/*', 'json'],
      ['text/csv', 'csv'],
      ['application/json, text/csv; charset=utf-8', 'json'],
      ['text/*', 'csv'],
      ['text/csv, */*', 'json'],
      ['text/csv, application/json;q=0.9', 'csv'],
      ['text/csv;q=0', 'json'],
      ['TEXT/CSV', 'csv'],
    ] as const) {
      const { status, headers } = await client.get(path, accept ? { accept } : {});
      expect([status, headers.get('content-type')], accept).toEqual([200, expect.stringContaining(kind)]);
    }
  });

  // The apostrophe that a cell gets is written as `!`.
  test.each([
    ['begins with a formula character', '!=1 !+1 !-1 !@x !\tx !\rx !\nx x=1 !＝1 !＋1 !－1 !＠x'],
    ['has one behind a ; or a tab', 'a;!=1 a\t!+1 ;;!-1 a;!\t!@x a;!\rx a;b a,=1 a;!＝1 a\t!＠x'],
  ])('puts an apostrophe into a cell that %s', async (_what, cells) => {
    const written = cells.split(' ').map((cell) => cell.replaceAll('!', "'"));
    const prompts = cells.split(' ').map((cell) => cell.replaceAll('!', ''));
    const { client, user } = await signIn();
    // The other player had left before.
    const rounds = prompts.map((prompt, at) => roundOf({ prompt, round: at + 1, answers: [[0, 1, 1], null] }));
    const gameId = await storeGame(db(), [user, { id: randomUUID(), name: ';=1+1;' }], { rounds });
    const { body } = await client.get(`/api/v1/games/${gameId}`, { accept: 'text/csv' });
    const lines = (body as string).split('\r\n').slice(1, -1);
    expect(lines.map((line) => /^\d+,("?)(.*?)\1,a building/s.exec(line)?.[2])).toEqual(written);
    for (const line of lines) expect(line).toContain(",;'=1+1;,");
  });
});
