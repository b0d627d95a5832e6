// The users of a run: guests that it creates, or accounts that a file names. The run signs out everybody
// whom it signed in; the service removes guests without a session by itself. [contract 6, 11]
import { readFileSync } from 'node:fs';
import { type Call, createCall, createCookieJar } from '../../client/http.ts';
import { ApiError } from '../../client/index.ts';
import { forEachLimited, retryUntilGranted } from './retry.ts';
import type { Account } from './robot.ts';

/** The run can't begin because accounts are missing or refused. */
export class NoAccountsError extends Error {}

export type AccountSet = Awaited<ReturnType<typeof prepareAccounts>>;

export interface AccountOptions {
  url: string;
  players: number;
  /**
   * A file with one account a line: `email password`, or a session cookie as `name=value`. Without a file
   * the run creates guests.
   */
  file?: string | undefined;
  signal: AbortSignal;
  onTrouble(text: string): void;
}

/** Signs in the file's accounts, or creates guests. @throws NoAccountsError if there are too few */
export async function prepareAccounts(options: AccountOptions) {
  const { file, players } = options;
  const lines = file === undefined ? null : readLines(file);
  if (lines && lines.length < players)
    throw new NoAccountsError(`${file} names ${lines.length} accounts; ${players} are needed.`);
  // better-auth refuses requests without an origin.
  const headers = { origin: new URL(options.url).origin };
  const signedIn: Call[] = [];
  const accounts: Account[] = [];
  const waiting = Array.from({ length: players }, (_, index) => index);

  async function addAccount(index: number): Promise<void> {
    const line = lines?.[index]?.trim();
    const isCookie = line !== undefined && !line.split(/\s/)[0]?.includes('@');
    const cookies = createCookieJar(isCookie ? line : undefined);
    const call = createCall({ baseUrl: options.url }, cookies);
    if (!isCookie) {
      await signIn(call, index, line);
      signedIn.push(call);
    }
    const session = await call<{ user: { id: string; name: string } } | null>('GET', '/api/auth/get-session');
    if (!session) throw new NoAccountsError(`The cookie in line ${index + 1} belongs to no session.`);
    const { id, name } = session.user;
    accounts.push({ id, name, cookie: cookies.header() ?? '' });
  }

  async function signIn(call: Call, index: number, line: string | undefined): Promise<void> {
    const [email, password] = line?.split(/\s+/) ?? [];
    const [path, body] = email
      ? ['/api/auth/sign-in/email', { email, password }]
      : ['/api/v1/guests', { name: guestName(index) }];
    try {
      const ask = () => call('POST', path, body, { headers });
      await retryUntilGranted(options, path, ask);
    } catch (error) {
      throw error instanceof ApiError ? refusalOf(error, accounts.length, line) : error;
    }
  }

  /** Ends the sessions that were begun for this run. */
  async function signOut(): Promise<void> {
    await forEachLimited(signedIn.splice(0), (call) =>
      // A failed sign-out leaves a guest without sockets, whom the service removes later by itself.
      call('POST', '/api/auth/sign-out', {}, { headers }).catch(() => {}),
    );
  }

  try {
    await forEachLimited(waiting, addAccount);
    return { accounts, signOut };
  } catch (error) {
    await signOut();
    throw error;
  }
}

/** The letters of a guest's name. The sizes of messages are measured with names of this length. [contract 19] */
const NAME_LENGTH = 20;

function guestName(index: number): string {
  const title = 'Prover ';
  return title + `${index + 1}`.padStart(NAME_LENGTH - title.length, '0');
}

function readLines(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

function refusalOf({ status, code, message }: ApiError, admitted: number, line?: string): Error {
  const isGuest = line === undefined;
  if (isGuest && status === 404)
    return new NoAccountsError(
      'The service accepts no guests, since its variable GUESTS is not true. Set it, or give accounts with --accounts FILE; on Kubernetes the component prove-accounts does so.',
    );
  const setting = isGuest ? 'RATE_LIMIT_GUEST_MAX' : 'RATE_LIMIT_AUTH_MAX';
  const advice = status === 429 ? ` Its setting ${setting} limits how many it accepts.` : '';
  return new NoAccountsError(`After ${admitted} accounts the service refused: ${code}, ${message}${advice}`);
}
