// Uses a restored service as players do: they create accounts, and `npm run prove` plays quizzes, homework and games with
// them.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prove } from '../../src/tools/prove/prove.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient } from '../support/http-client.ts';
import { mailTo } from '../support/outbox.ts';
import { RehearsalError } from './database.ts';
import type { Stage } from './stage.ts';

const PLAYERS = 2;

/** Creates accounts, and opens the links in their emails. @returns the file with what they sign in by */
export async function signUp({ url, outbox }: Stage, folder: string): Promise<string> {
  const lines = await Promise.all(
    Array.from({ length: PLAYERS }, async () => {
      const http = createHttpClient(url);
      const email = `rehearsal-${randomBytes(8).toString('hex')}@example.com`;
      const password = randomBytes(16).toString('hex');
      // A machine on which all processes have just started may be busy for a moment, so that the service answers 503.
      const sign = async () => {
        const { status, body } = await http.post('/api/auth/sign-up/email', { name: 'Ada', email, password });
        if (status >= 300) throw new RehearsalError(`A sign-up is ${status}: ${JSON.stringify(body)}`);
      };
      await eventually(sign, { timeoutMs: 10_000 });
      await http.get((await mailTo({ mail: { outbox } }, email)).url);
      return `${email} ${password}\n`;
    }),
  );
  const file = join(folder, 'accounts.txt');
  writeFileSync(file, lines.join(''));
  return file;
}

/** @throws RehearsalError if the service violates its contract, or plays nothing */
export async function play({ url }: Stage, file: string, signal: AbortSignal): Promise<void> {
  const { games, quizzes, violations } = await prove({
    transport: 'auto',
    url,
    players: PLAYERS,
    games: 1,
    durationMs: 3000,
    roundMs: 2000,
    everyMs: 1000,
    lateMaxMs: 60_000,
    file,
    signal,
  });
  const [violation] = violations;
  if (violation) throw new RehearsalError(`The restored service is wrong: ${violation.kind}: ${violation.text}`);
  if (Math.min(games, quizzes) === 0) throw new RehearsalError('The restored service came to the end of nothing.');
}
