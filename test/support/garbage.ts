// Whether something is still kept alive.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects what nobody holds any more. */
export const collectGarbage = runInNewContext('gc') as () => void;
