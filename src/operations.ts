// All operations that programs may call. The client library, the published description
// and the tests that cross all operations are made of this list.
import { operations as accounts } from './accounts/operations.ts';
import { operations as assignments } from './assignments/operations.ts';
import type { Operation } from './http/operation.ts';
import { operations as learning } from './learning/operations.ts';
import { operations as lobby } from './lobby/operations.ts';
import { operations as match } from './match/operations.ts';
import { operations as realtime } from './realtime/operations.ts';
import { operations as singleplayer } from './singleplayer/operations.ts';
import { operations as vocabulary } from './vocabulary/operations.ts';

const FEATURES = [accounts, vocabulary, singleplayer, lobby, realtime, match, learning, assignments];

/** They are sorted by path. Each has its handler in the `routes.ts` beside it. */
export const OPERATIONS = FEATURES.flatMap((feature): Operation[] => Object.values(feature)).sort((one, other) =>
  `${one.path} ${one.method}` < `${other.path} ${other.method}` ? -1 : 1,
);
