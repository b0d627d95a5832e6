// Who plays: guests who are made for the run, or accounts that a file names. Whoever was signed in here
// is signed out in the end; the service itself clears away guests who are. [contract 6, 11]
import { readFileSync } from 'node:fs';
import { type Call, createCall, type FetchLike } from '../client/http.ts';
import { ApiError } from '../client/index.ts';
import { untilGranted } from './asking.ts';
import { each } from './each.ts';
import type { Account } from './player.ts';

/** Why a run can't begin. */
export class NoAccountsError extends Error {}

export interface Crowd {
  accounts: Account[];
  /** Signs everybody out who was signed in for the run. */
  dismiss(): Promise<void>;
}

export interface CrowdOptions {
  url: string;
  players: number;
  /**
   * A file with a line an account: `email password`, or a session's cookie as `name=value`. Without
   * it guests are made.
   */
  file?: string | undefined;
  signal: AbortSignal;
  onTrouble(text: string): void;
}

/** @throws NoAccountsError */
export async function gatherCrowd(options: CrowdOptions): Promise<Crowd> {
  const { file, players } = options;
  const lines = file === undefined ? null : readLines(file);
  if (lines && lines.length < players)
    throw new NoAccountsError(`${file} names ${lines.length} accounts; ${players} are needed.`);
  const signedIn: Call[] = [];
  const accounts: Account[] = [];
  const waiting = Array.from({ length: players }, (_, index) => index);

  async function admit(index: number): Promise<void> {
    const line = lines?.[index]?.trim();
    const isCookie = line !== undefined && !line.split(/\s/)[0]?.includes('@');
    const jar = createJar(options.url, isCookie ? line : '');
    const call = createCall({ baseUrl: options.url, fetch: jar.fetch });
    if (!isCookie) {
      await enter(call, index, line);
      signedIn.push(call);
    }
    const session = await call<{ user: { id: string; name: string } } | null>(
      'GET',
      '/api/auth/get-session',
    );
    if (!session) throw new NoAccountsError(`The cookie in line ${index + 1} is no session's.`);
    const { id, name } = session.user;
    accounts.push({ id, name, cookie: jar.cookie() });
  }

  async function enter(call: Call, index: number, line: string | undefined): Promise<void> {
    const [email, password] = line?.split(/\s+/) ?? [];
    const [path, body] = email
      ? ['/api/auth/sign-in/email', { email, password }]
      : ['/api/v1/guests', { name: `Prover ${index + 1}` }];
    try {
      const ask = () => call('POST', path, body);
      await untilGranted(options, path, ask);
    } catch (error) {
      throw error instanceof ApiError ? refused(error, accounts.length, line) : error;
    }
  }

  async function dismiss(): Promise<void> {
    await each(signedIn.splice(0), (call) =>
      // Who can't be signed out now is a guest who has no sockets, and is cleared away later.
      call('POST', '/api/auth/sign-out', {}).catch(() => {}),
    );
  }

  try {
    await each(waiting, admit);
    return { accounts, dismiss };
  } catch (error) {
    await dismiss();
    throw error;
  }
}

function readLines(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

function refused({ status, code, message }: ApiError, admitted: number, line?: string): Error {
  const isGuest = line === undefined;
  if (isGuest && status === 404)
    return new NoAccountsError('The service takes no guests (GUESTS): name accounts, --accounts.');
  const setting = isGuest ? 'RATE_LIMIT_GUEST_MAX' : 'RATE_LIMIT_AUTH_MAX';
  const advice = status === 429 ? ` It lets so many in as ${setting} says.` : '';
  return new NoAccountsError(
    `After ${admitted} accounts the service refused: ${code}, ${message}${advice}`,
  );
}

/** Keeps the cookies that the service sets. @param known those to begin with */
function createJar(url: string, known: string): { fetch: FetchLike; cookie(): string } {
  const cookies = new Map<string, string>();
  const keep = (pair: string) => {
    const at = pair.indexOf('=');
    if (at > 0) cookies.set(pair.slice(0, at), pair.slice(at + 1));
  };
  for (const pair of known.split(/;\s*/)) keep(pair);
  const cookie = () => [...cookies].map((pair) => pair.join('=')).join('; ');
  return {
    cookie,
    async fetch(address, options) {
      const headers = { ...options.headers, cookie: cookie(), origin: new URL(url).origin };
      const response = await fetch(address, { ...options, headers });
      for (const line of response.headers.getSetCookie()) keep(line.split(';')[0] ?? '');
      return response;
    },
  };
}
