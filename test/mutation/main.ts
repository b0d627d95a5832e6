// The command `npm run mutate`: it makes small defects in the rules and in the Lua scripts, one at a time, and says which
// of them no test finds. It works in a copy of the checkout, and leaves nothing behind.
import { asksForHelp } from '../../src/tools/command.ts';
import { makeCheckout } from './checkout.ts';
import { plantBugs } from './planted.ts';
import { mutateRules } from './rules.ts';
import { mutateScripts } from './scripts.ts';

const HELP = `[SEED=N] [MUTANTS=N] npm run mutate -- [rules | scripts | planted] [PART …]
  rules    all mutants of the pure rules, by Stryker, which it installs in a temporary folder
  scripts  MUTANTS mutants of the Lua scripts of lobbies and games, by default 40, chosen by SEED
  planted  seven bugs, which the oracle has to find wherever games are played; PART is such a place; not by default
  PART     only files whose paths contain one of these
  Exits with 1 if less than nine tenths die.`;
const PARTS = ['rules', 'scripts', 'planted'];
/** The share of mutants that have to die; some of the others behave as the code does. */
const LEAST_SHARE = 0.9;

const args = process.argv.slice(2);
if (asksForHelp(args)) {
  console.log(HELP);
  process.exit(0);
}
const chosen = PARTS.includes(args[0] ?? '') ? args.slice(0, 1) : PARTS.slice(0, 2);
const parts = args.filter((arg) => !PARTS.includes(arg));
const isChosen = (file: string) => parts.length === 0 || parts.some((part) => file.includes(part));
const { SEED = Date.now() % 1_000_000, MUTANTS = 40 } = process.env;

const checkout = makeCheckout();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void checkout.remove().finally(() => process.exit(1)));
try {
  for (const part of chosen) {
    const isEnough = {
      rules: () => mutateRules(checkout, isChosen, LEAST_SHARE),
      scripts: () => mutateScripts(checkout, isChosen, LEAST_SHARE, { seed: Number(SEED), count: Number(MUTANTS) }),
      planted: () => plantBugs(checkout, isChosen),
    }[part];
    if (!(await isEnough?.())) process.exitCode = 1;
  }
} finally {
  await checkout.remove();
}
