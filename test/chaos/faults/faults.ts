// The implementation of each kind of fault.
import type { FaultKind } from '../schedule.ts';
import type { Act } from './act.ts';
import { freeze } from './freeze.ts';
import { kill } from './kill.ts';
import { loseMaster, loseWrites } from './lost-redis.ts';
import { block, cut, hold, slow } from './network.ts';
import { fullPostgres, lockTable, readOnlyPostgres } from './refusing-postgres.ts';
import { fullRedis, readOnlyRedis } from './refusing-redis.ts';
import { freezeServer, restartServer } from './server.ts';
import { skew } from './skew.ts';
import { update } from './update.ts';

export const ACTS: Record<FaultKind, Act> = {
  kill,
  freeze,
  skew,
  update,
  'cut-redis': cut,
  'hold-redis': hold,
  'slow-redis': slow,
  'block-redis': block,
  'freeze-redis': freezeServer,
  'restart-redis': restartServer,
  'read-only-redis': readOnlyRedis,
  'full-redis': fullRedis,
  'lose-writes': loseWrites,
  'lose-master': loseMaster,
  'cut-postgres': cut,
  'hold-postgres': hold,
  'slow-postgres': slow,
  'freeze-postgres': freezeServer,
  'restart-postgres': restartServer,
  'read-only-postgres': readOnlyPostgres,
  'full-postgres': fullPostgres,
  'lock-table': lockTable,
};
