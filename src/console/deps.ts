// The dependencies of the console.
import type { OperatorDeps } from '../accounts/operator-actions.ts';
import type { Config } from '../config.ts';
import type { StoreChecks } from '../platform/outages/store-checks.ts';
import type { QueueDeps, QueuePlace } from '../platform/queues/queue.ts';
import type { InspectDeps } from '../tools/operate/lobby-report.ts';

/** The audit log is made when the console is loaded, since it imports the packages behind accounts. */
export interface ConsoleDeps extends Omit<OperatorDeps, 'audit' | 'clock'>, InspectDeps, QueueDeps {
  config: { auth: Pick<Config['auth'], 'secret'> };
  storeChecks: Pick<StoreChecks, 'look'>;
  /** The queues to show. */
  queuePlaces: readonly QueuePlace[];
}
