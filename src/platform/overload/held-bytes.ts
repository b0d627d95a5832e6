// Counts the bytes that clients make this process hold, against the budgets of src/budgets.ts: bodies that arrive, and
// replies that nobody has read. [contract 17]
import { BUDGETS, type BudgetName } from '../../budgets.ts';
import { AppError } from '../../errors.ts';
import { counter, gauge } from '../observability/metrics.ts';

/** The `Retry-After` of a refusal in ms: about the time in which a large body arrives, or a large reply is read. */
const RETRY_AFTER_MS = 5000;

const heldBytes = gauge('quiz_budget_held_bytes', 'Bytes that this replica holds for all clients.', ['budget']);
const refusals = counter('quiz_budget_refusals_total', 'Requests refused because a budget was used up.', ['budget']);

interface Holder {
  budget: BudgetName;
  /** Tells it from others with such a budget. */
  key: string;
  /** How many times the budget it has; default 1. */
  times?: number;
}

/** What each budget of each key holds. */
const bytesOf = new Map<string, number>();

function add({ budget, key }: Holder, bytes: number): void {
  const id = `${budget} ${key}`;
  const sum = (bytesOf.get(id) ?? 0) + bytes;
  if (sum > 0) bytesOf.set(id, sum);
  else bytesOf.delete(id);
  if (BUDGETS[budget].who === 'replica') heldBytes.inc({ budget }, bytes);
}

const hasRoom = ({ budget, key, times = 1 }: Holder, bytes: number) =>
  (bytesOf.get(`${budget} ${key}`) ?? 0) + bytes <= times * BUDGETS[budget].max;

/** The bytes of one request. */
export type Held = ReturnType<typeof holdBytes>;

/** Begins to count the bytes of a request for all of these at once. */
export function holdBytes(holders: readonly Holder[]) {
  let held = 0;
  return {
    /** @throws AppError the refusal of the first budget that has no room, and then nothing more is counted */
    add(bytes: number): void {
      const full = holders.find((holder) => !hasRoom(holder, bytes));
      if (full) throw refusalBy(full);
      held += bytes;
      for (const holder of holders) add(holder, bytes);
    },
    /** Frees all that was added. */
    free(): void {
      for (const holder of holders) add(holder, -held);
      held = 0;
    },
  };
}

function refusalBy({ budget, times = 1 }: Holder): AppError {
  refusals.inc({ budget });
  const { what, who, beyond, max } = BUDGETS[budget];
  const detail = `Too much at once: ${what} of one ${who}. Try again in ${RETRY_AFTER_MS / 1000} seconds.`;
  const limit = beyond === 'RATE_LIMITED' ? { max: times * max, waitMs: RETRY_AFTER_MS } : null;
  return new AppError(beyond as 'RATE_LIMITED', detail, { limit, retryAfterMs: RETRY_AFTER_MS });
}
