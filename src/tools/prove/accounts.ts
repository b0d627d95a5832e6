// The users of a run: guests that it creates, or accounts that a file names. The run signs out everybody
// whom it signed in; the service removes guests without a session by itself. [contract 6, 11]
import { readFileSync } from 'node:fs';
import { type Call, createCall, createCookieJar } from '../../client/http.ts';
import { ApiError } from '../../client/index.ts';
import { type ClientContext, forEachLimited, retryUntilGranted } from './retry.ts';
import type { Account } from './robot.ts';

/** The run can't begin because accounts are missing or refused. */
export class NoAccountsError extends Error {}

export interface AccountOptions extends ClientContext {
  players: number;
  /** Has one account a line: `email password`, or a session cookie. Without a file the run creates guests. */
  file?: string | undefined;
}

/** Signs in the file's accounts, or creates guests. @throws NoAccountsError if there are too few */
export async function prepareAccounts(options: AccountOptions) {
  const { file, players, url } = options;
  const lines = file === undefined ? null : readLines(file);
  if (lines && lines.length < players)
    throw new NoAccountsError(`${file} names ${lines.length} accounts; ${players} are needed.`);
  // better-auth refuses requests without an origin.
  const headers = { origin: new URL(url).origin };
  const signedIn: Call[] = [];
  const accounts: Account[] = [];

  async function addAccount(index: number): Promise<void> {
    const line = lines?.[index];
    const isCookie = line !== undefined && !line.split(/\s/)[0]?.includes('@');
    const cookies = createCookieJar(isCookie ? line : undefined);
    const call = createCall({ baseUrl: url }, cookies);
    if (!isCookie) {
      const [email, password] = line?.split(/\s+/) ?? [];
      const [path, body] = email
        ? ['/api/auth/sign-in/email', { email, password }]
        : ['/api/v1/guests', { name: guestName(index) }];
      await retryUntilGranted(options, path, () => call('POST', path, body, { headers })).catch((error: Error) => {
        throw error instanceof ApiError ? refusalOf(error, accounts.length, !email) : error;
      });
      signedIn.push(call);
    }
    const session = await call<{ user: { id: string; name: string } } | null>('GET', '/api/auth/get-session');
    if (!session) throw new NoAccountsError(`The cookie in line ${index + 1} belongs to no session.`);
    const { id, name } = session.user;
    accounts.push({ id, name, cookie: cookies.header() ?? '' });
  }

  /** Ends the sessions that were begun for this run. */
  async function signOut(): Promise<void> {
    await forEachLimited(signedIn.splice(0), (call) =>
      // A failed sign-out leaves a guest without sockets, whom the service removes later by itself.
      call('POST', '/api/auth/sign-out', {}, { headers }).catch(() => {}),
    );
  }

  try {
    await forEachLimited([...Array(players).keys()], addAccount);
    return { accounts, signOut };
  } catch (error) {
    await signOut();
    throw error;
  }
}

/** The sizes of messages are measured with names of twenty letters. [contract 19] */
const guestName = (index: number) => `Prover ${`${index + 1}`.padStart(13, '0')}`;

function readLines(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}

function refusalOf({ status, code, message }: ApiError, admitted: number, isGuest: boolean): Error {
  if (isGuest && status === 404)
    return new NoAccountsError(
      'The service accepts no guests, since its variable GUESTS is not true. Set it, or give accounts with ' +
        '--accounts FILE; on Kubernetes the component prove-accounts does so.',
    );
  const setting = isGuest ? 'RATE_LIMIT_GUEST_MAX' : 'RATE_LIMIT_AUTH_MAX';
  const advice = status === 429 ? ` Its setting ${setting} limits how many it accepts.` : '';
  return new NoAccountsError(`After ${admitted} accounts the service refused: ${code}, ${message}${advice}`);
}
