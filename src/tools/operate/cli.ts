// The command `npm run inspect -- CODE`, which prints the state and the events of a lobby.

import { parseCode } from '../../lobby/rules.ts';
import { createClock } from '../../match/clock/clock.ts';
import { createLogger } from '../../platform/observability/logger.ts';
import { asksForHelp } from '../cli/help.ts';
import { runCommand, withStores } from '../cli/operate.ts';
import { reportLobby } from './lobby-report.ts';

const USAGE = `Usage: npm run inspect -- CODE
    Prints a lobby's state and its events: times, lateness, which process did what.
    DATABASE_URL and REDIS_URL name the stores; without them, those of the "npm run dev" here.`;

/** @returns the process's exit code */
async function main(args: string[]): Promise<number> {
  if (asksForHelp(args)) {
    console.log(USAGE);
    return 0;
  }
  const [text, ...surplus] = args;
  if (!text || surplus.length > 0) {
    console.error(USAGE);
    return 1;
  }
  const code = parseCode(text);
  if (!code) {
    console.error(`A lobby code has six letters and digits.`);
    return 1;
  }
  return withStores(createLogger('silent', 'inspect'), async (stores) => {
    const clock = createClock(stores, stores.clockQueues);
    try {
      const lines = await reportLobby({ ...stores, clock }, code);
      if (lines) console.log(lines.join('\n'));
      else console.error(`No lobby and no result has the code ${code}.`);
      return lines ? 0 : 1;
    } finally {
      await clock.close();
    }
  });
}

await runCommand(() => main(process.argv.slice(2)), { misused: 1, outage: 1 });
