// Each sample of the documents is run as it is printed: all calls of /docs, with curl and with the client library, in an
// order in which a reply has what the next call needs, and the blocks of the READMEs. [contract 7]
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, inject, it, onTestFinished, vi } from 'vitest';
import WebSocket from 'ws';
import { createClient } from '../../src/client/index.ts';
import { useArena } from '../support/arena.ts';
import { createHttpClient } from '../support/http-client.ts';
import { mailTo } from '../support/outbox.ts';
import type { TestService } from '../support/service.ts';
import { createSignedInUser } from '../support/users.ts';
import { importTestTerms } from '../support/vocabulary.ts';
import { cookiesIn, curl, installCurl, wordsOf } from './curl.ts';

/** What a program or a shell knows from earlier replies, by the names of fields. */
type Known = Record<string, string>;

let service: TestService;
/** The printed calls of each operation, with curl and the library; one of authentication has none with the library. */
const samples = new Map<string, string[]>();
const sourceOf = ({ source }: { source: string }) => source;
const arena = useArena({ replicas: 1, env: { GUESTS: 'true' } });
beforeAll(async () => {
  [service] = arena.replicas;
  // A sample plays with Spanish words.
  const terms = Array.from({ length: 10 }, (_, at) => ({ sourceText: `word ${at}`, targetText: `palabra ${at}` }));
  const spanish = terms.map((term) => ({ ...term, targetLanguage: 'es' as const }));
  await importTestTerms(arena.stores.databaseUrl, spanish);
  const { body } = await createHttpClient(service.url).get('/api/openapi.json');
  for (const item of Object.values<object>(body.paths))
    for (const { operationId, 'x-codeSamples': printed } of Object.values(item))
      samples.set(operationId, printed.map(sourceOf));
});

const shellName = (name: string) => name.replace(/(?=[A-Z])/g, '_').toUpperCase();

/** Remembers the texts in a reply, an outer field before an inner one, since samples name them by their fields. */
function remember(known: Known, reply: unknown): void {
  if (reply === null || typeof reply !== 'object') return;
  const fields = Object.entries(reply);
  for (const [, value] of fields.toReversed()) remember(known, value);
  for (const [name, value] of fields) if (typeof value === 'string') known[name] = value;
}

/** A person's terminal, in a folder of their own where curl stores the cookies. */
function openTerminal(name: string) {
  const cwd = mkdtempSync(join(inject('temporaryFolder'), 'terminal-'));
  const known: Known = {};
  return {
    known,
    cookie: () => cookiesIn(join(cwd, 'cookies.txt')),
    /** Runs the sample of an operation under the person's own name. @returns the status */
    async copy(id: string): Promise<number> {
      const sample = samples.get(id)?.[0] ?? expect.fail(`${id} has no sample`);
      const variables = Object.fromEntries(Object.entries(known).map(([field, value]) => [shellName(field), value]));
      const source = sample.replaceAll('ada@', `${name}@`).replaceAll('"Ada"', `"${name}"`);
      const [program, ...args] = wordsOf(source, { ...variables, SERVICE: service.url });
      expect(program).toBe('curl');
      const { status, text } = await curl(args, cwd);
      if (status < 400 && /^[[{]/.test(text)) remember(known, JSON.parse(text));
      return status;
    },
  };
}

async function signUp(name: string) {
  const terminal = openTerminal(name);
  expect(await terminal.copy('signUpEmail')).toBe(200);
  const { url } = await mailTo(service.services.config, `${name}@example.com`);
  await fetch(url as string, { redirect: 'manual', headers: { cookie: terminal.cookie() } });
  expect(await terminal.copy('signInEmail')).toBe(200);
  return terminal;
}

/** Connects a player who answers every question, and as the host starts the game when two are connected. */
function joinGame(code: string, { id, cookie }: { id: string; cookie: string }): Promise<string> {
  const lobby = createClient({ baseUrl: service.url, cookie }).lobby(code);
  onTestFinished(() => lobby.close());
  lobby.on('game:question', ({ question }) => lobby.answer(question.questionId, 0));
  lobby.on('lobby:state', ({ lobby: { status, hostId, connectedCount } }) => {
    if (hostId === id && status === 'waiting' && connectedCount === 2) void lobby.start();
  });
  return new Promise((end) => {
    lobby.on('game:finished', ({ gameId }) => end(gameId));
  });
}

/** @returns the id of a word of an answered question, when a worker has stored what was learned */
function answeredWord(cookie: string): Promise<string> {
  const client = createHttpClient(service.url, { cookie });
  const read = async () => (await client.get('/api/v1/words?state=learning')).body.words[0]?.wordId;
  return vi.waitUntil(read, { timeout: 30_000, interval: 250 });
}

const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (...args: unknown[]) => Promise<void>;

/** Runs a printed program. @param known the values of names that it does not declare @returns the last reply that it got */
async function runProgram(source: string, cookie: string, known: Known = {}): Promise<unknown> {
  const last: { reply?: unknown } = {};
  const create = (options: object) => createClient({ cookie, ...options, baseUrl: service.url });
  const scope: Record<string, unknown> = {
    ...known,
    createClient: create,
    WebSocket,
    cookie,
    client: create({}),
    last,
  };
  const body = source.replaceAll(/^import .*$/gm, '').replaceAll('await client.', 'last.reply = await client.');
  const declarations = body.matchAll(/^const (?:\{ (.*) \}|(\w+)) =/gm);
  const declared = new Set([...declarations].flatMap(([, many, one]) => (many ?? one ?? '').split(', ')));
  const isFree = (name: string) => /^[a-z]\w*$/i.test(name) && body.includes(name) && !declared.has(name);
  const names = Object.keys(scope).filter(isFree);
  await new AsyncFunction(...names, body)(...names.map((name) => scope[name]));
  return last.reply;
}

/** The operations in an order in which each can be called, before a game of the created lobby and after it. */
const BEFORE_THE_GAME =
  'getVocabulary getWords createList getLists getList replaceList startGame answerQuestion createLobby getLobbies getLobby listPlayers getInvitation';
/** The stream is read by nothing but the printed call with curl, and the message answers a question of a game. */
const STREAM = 'followLobby sendMessage';
const AFTER_THE_GAME =
  'getGame listGames getProgress getCalendar suspendWord resumeWord exportAccount updateAccount createAssignment getAssignments getAssignment updateAssignment startAssignment getBegunAssignments getAssignmentResults deletePerson deleteGuests deleteAssignment deleteList';
const ACCOUNT =
  'getPasskeyGenerateRegisterOptions getPasskeyListUserPasskeys getSession listAccounts updateUser sendVerificationEmail requestPasswordReset changePassword revokeOtherSessions twoFactorEnable twoFactorGenerateBackupCodes twoFactorDisable passkeyUpdatePasskey passkeyDeletePasskey passkeyVerifyRegistration linkSocial listSessions revokeSession signInEmail getAccount deleteSession signInEmail revokeSessions signInEmail deleteUser';

/** What needs a passkey, a provider, an authenticator app or another email is refused by these statuses without. */
const WITHOUT_THE_REST = {
  400: 'passkeyVerifyAuthentication passkeyVerifyRegistration resetPassword twoFactorGenerateBackupCodes',
  401: 'twoFactorVerifyBackupCode twoFactorVerifyTotp verifyEmail verifyEmailChoose verifyEmailConfirm verifyEmailForm',
  404: 'getCallbackProvider linkSocial passkeyDeletePasskey passkeyUpdatePasskey signInSocial',
  409: 'sendMessage',
};

it('every call of /docs with curl is done as it is printed, from a new account to its end', async () => {
  const [ada, ben] = [await signUp('cleo'), await signUp('ben')];
  const statuses: Record<string, number> = {};
  const copyAll = async (ids: string) => {
    for (const id of ids.split(' ')) statuses[id] = await ada.copy(id);
  };
  await copyAll(`${BEFORE_THE_GAME} ${STREAM}`);
  const code = ada.known.code as string;
  ben.known.code = code;
  statuses.joinLobby = await ben.copy('joinLobby');
  expect(statuses.joinLobby).toBe(200);
  const players = [
    { id: ada.known.hostId as string, cookie: ada.cookie() },
    { id: 'no host', cookie: ben.cookie() },
  ];
  [ada.known.gameId = ''] = await Promise.all(players.map((player) => joinGame(code, player)));
  ada.known.wordId = await answeredWord(ada.cookie());
  await copyAll(`${AFTER_THE_GAME} ${ACCOUNT}`);
  const others = [...samples.keys()].filter((one) => !(one in statuses) && one !== 'createGuest');
  await copyAll(others.join(' '));
  statuses.createGuest = await openTerminal('mia').copy('createGuest');
  const refused = Object.keys(statuses).filter((id) => (statuses[id] as number) >= 400);
  const byStatus = Object.groupBy(refused.sort(), (id) => statuses[id] as number);
  for (const [status, ids] of Object.entries(WITHOUT_THE_REST)) expect(byStatus[Number(status)]?.join(' ')).toBe(ids);
  expect(Object.keys(byStatus)).toEqual(Object.keys(WITHOUT_THE_REST));
}, 240_000);

it('every call of /docs with the client library is done as it is printed', async () => {
  const [ada, ben] = [await createSignedInUser(service.services), await createSignedInUser(service.services)];
  const known: Known = { userId: ada.id };
  const done = new Set<string>();
  const call = async (id: string, { cookie } = ada) => {
    remember(known, await runProgram(samples.get(id)?.[1] ?? expect.fail(id), cookie, known));
    done.add(id);
  };
  for (const id of BEFORE_THE_GAME.split(' ')) await call(id);
  await call('joinLobby', ben);
  await expect(call('sendMessage')).rejects.toMatchObject({ code: 'NOT_IN_GAME' });
  done.add('sendMessage');
  const code = known.code as string;
  [known.gameId = ''] = await Promise.all([ada, ben].map((user) => joinGame(code, user)));
  known.wordId = await answeredWord(ada.cookie);
  for (const id of `${AFTER_THE_GAME} getAccount deleteSession createGuest`.split(' ')) await call(id);
  const inLibrary = [...samples].filter(([, [, program]]) => program).map(([id]) => id);
  expect([...done].sort()).toEqual(inLibrary.sort());
});

/** @returns the fenced blocks of a document in this language */
function blocksOf(document: string, language: 'sh' | 'js'): string[] {
  const text = readFileSync(document, 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);
}

it('the quiz with curl in README is played as it is printed, by a guest and with an account', async () => {
  const cwd = mkdtempSync(join(inject('temporaryFolder'), 'readme-'));
  installCurl(join(cwd, 'bin'));
  mkdirSync(join(cwd, '.data'));
  symlinkSync(resolve(service.services.config.mail.outbox), join(cwd, '.data/outbox.jsonl'));
  // The first block installs and starts the service.
  const [, ...blocks] = blocksOf('README.md', 'sh');
  const lines = blocks.join('').replace('http://localhost:3000', service.url);
  const env = { PATH: `${join(cwd, 'bin')}:${process.env.PATH}` };
  const { stdout } = await promisify(execFile)('sh', ['-ec', lines], { cwd, env });
  for (const field of ['"isGuest":true', '"questions":', '"isCorrect":', '"emailVerified":true'])
    expect(stdout).toContain(field);
});

it('each program of the README of the library is run as it is printed', async () => {
  for (const block of blocksOf('src/client/README.md', 'js')) {
    const [host, guest] = [await createSignedInUser(service.services), await createSignedInUser(service.services)];
    const client = createClient({ baseUrl: service.url, cookie: host.cookie });
    const { code } = await client.createLobby({ settings: { rounds: 1 } });
    void joinGame(code, host);
    await runProgram(block.replaceAll('7KQ2ZD', code), guest.cookie);
  }
});
