// All operations that programs may call. The client library, the published description
// and the tests that cross all operations are made of this list.
import * as accounts from './accounts/operations.ts';
import * as assignments from './assignments/operations.ts';
import type { Operation } from './http/operation.ts';
import * as learning from './learning/operations.ts';
import * as lobby from './lobby/operations.ts';
import * as match from './match/operations.ts';
import * as realtime from './realtime/operations.ts';
import * as singleplayer from './singleplayer/operations.ts';
import * as vocabulary from './vocabulary/operations.ts';

const FEATURES = [accounts, vocabulary, singleplayer, lobby, realtime, match, learning, assignments];

/** They are sorted by path. Each has its handler in the `routes.ts` beside it. */
export const OPERATIONS: Operation[] = FEATURES.flatMap((feature) =>
  Object.values(feature as Record<string, unknown>).filter((one): one is Operation => typeof one === 'object'),
).sort((one, other) => (`${one.path} ${one.method}` < `${other.path} ${other.method}` ? -1 : 1));
