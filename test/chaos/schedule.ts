// The schedule of faults. It is drawn from a seed only, so that a run can be repeated. Storms, in which faults
// overlap, alternate with calms, in which everything must recover.
import type { Random } from '../../src/tools/prove/random.ts';

/** The Redis set-up: one server, a primary and a replica under a Sentinel, or a cluster of three and three. */
export type Topology = 'single' | 'sentinel' | 'cluster';

export type Place = 'replica' | 'worker' | 'redis' | 'postgres';

interface Kind {
  places: readonly Place[];
  /** The shortest and longest duration, ms. */
  lastsMs: readonly [min: number, max: number];
  /** The weight with which it is drawn, compared with the other faults. */
  weight: number;
  /** The Redis set-ups in which it is possible; the default is all. */
  topologies?: readonly Topology[];
  /** Whether it needs another release's code. */
  needsRelease?: boolean;
  /** Whether it needs a disk for PostgreSQL alone. */
  needsDisk?: boolean;
}

const ONE_SERVER: readonly Topology[] = ['single'];
/** The set-ups with a proxy in front of Redis. */
const PROXIED: readonly Topology[] = ['single', 'sentinel'];

/** Every kind of fault. Its implementation is in faults.ts. */
export const KINDS = {
  kill: { places: ['replica', 'worker'], lastsMs: [0, 4000], weight: 5 },
  freeze: { places: ['replica', 'worker'], lastsMs: [200, 5000], weight: 4 },
  skew: { places: ['replica', 'worker'], lastsMs: [0, 500], weight: 3 },
  'cut-redis': { places: ['redis'], lastsMs: [0, 500], weight: 5, topologies: PROXIED },
  'hold-redis': { places: ['redis'], lastsMs: [100, 4000], weight: 4, topologies: ONE_SERVER },
  'slow-redis': { places: ['redis'], lastsMs: [500, 4000], weight: 4, topologies: PROXIED },
  'block-redis': { places: ['redis'], lastsMs: [100, 3000], weight: 2, topologies: ONE_SERVER },
  'freeze-redis': { places: ['redis'], lastsMs: [100, 4000], weight: 2, topologies: ONE_SERVER },
  'restart-redis': { places: ['redis'], lastsMs: [0, 2000], weight: 3, topologies: ONE_SERVER },
  'read-only-redis': { places: ['redis'], lastsMs: [200, 4000], weight: 4 },
  'full-redis': { places: ['redis'], lastsMs: [200, 4000], weight: 4 },
  'lose-writes': { places: ['redis'], lastsMs: [50, 800], weight: 5, topologies: ['sentinel'] },
  'lose-master': { places: ['redis'], lastsMs: [0, 0], weight: 3, topologies: ['cluster'] },
  'cut-postgres': { places: ['postgres'], lastsMs: [0, 500], weight: 3 },
  'hold-postgres': { places: ['postgres'], lastsMs: [100, 4000], weight: 3 },
  'slow-postgres': { places: ['postgres'], lastsMs: [500, 4000], weight: 3 },
  'freeze-postgres': { places: ['postgres'], lastsMs: [100, 4000], weight: 2 },
  'restart-postgres': { places: ['postgres'], lastsMs: [0, 2000], weight: 3 },
  'read-only-postgres': { places: ['postgres'], lastsMs: [200, 4000], weight: 3 },
  'full-postgres': { places: ['postgres'], lastsMs: [200, 4000], weight: 3, needsDisk: true },
  'lock-table': { places: ['postgres'], lastsMs: [200, 4000], weight: 4 },
  update: { places: ['replica', 'worker'], lastsMs: [0, 500], weight: 4, needsRelease: true },
} as const satisfies Record<string, Kind>;

export type FaultKind = keyof typeof KINDS;

export interface PlannedFault {
  kind: FaultKind;
  /** The time from the beginning of its storm, ms. */
  atMs: number;
  place: Place;
  /** The index of the replica or worker; 0 for a store. */
  index: number;
  lastsMs: number;
  /** A random number from 0 up to 1, for whatever else the fault has to choose. */
  draw: number;
}

export type Storm = readonly PlannedFault[];

export interface Circumstances {
  topology: Topology;
  replicas: number;
  workers: number;
  /** Whether there is another release to update from. */
  hasRelease: boolean;
  /** Whether PostgreSQL has a disk of its own, which can be filled: mounting one takes root or sudo. */
  hasDisk: boolean;
}

const STORM_MS = [8000, 20_000] as const;
const GAP_MS = [300, 1500] as const;

/** @returns the kinds of faults that are possible in this run */
export function possibleKinds({ topology, hasRelease, hasDisk }: Circumstances): FaultKind[] {
  return (Object.keys(KINDS) as FaultKind[]).filter((name) => {
    const kind: Kind = KINDS[name];
    if (!(kind.topologies?.includes(topology) ?? true)) return false;
    return (hasRelease || !kind.needsRelease) && (hasDisk || !kind.needsDisk);
  });
}

/**
 * @returns the steps of a rolling update and of its rollback, to be done one after the other: every process is replaced
 *   by one of the other release, and later back
 */
export function rollingUpdate({ replicas, workers }: Pick<Circumstances, 'replicas' | 'workers'>): PlannedFault[] {
  const processes = [
    ...Array.from({ length: replicas }, (_, index) => ({ place: 'replica' as const, index })),
    ...Array.from({ length: workers }, (_, index) => ({ place: 'worker' as const, index })),
  ];
  const update = { kind: 'update' as const, atMs: 0, lastsMs: 0, draw: 0 };
  return [...processes, ...processes].map((member) => ({ ...update, ...member }));
}

/** @returns the next storm of a run */
export function drawStorm(random: Random, circumstances: Circumstances): Storm {
  const kinds = possibleKinds(circumstances).flatMap((kind) => Array.from({ length: KINDS[kind].weight }, () => kind));
  const counts = { replica: circumstances.replicas, worker: circumstances.workers };
  const storm: PlannedFault[] = [];
  const endMs = random.int(...STORM_MS);
  for (let atMs = 0; atMs < endMs; atMs += random.int(...GAP_MS)) {
    const kind = random.pick(kinds);
    const { places, lastsMs: bounds } = KINDS[kind];
    const place = random.pick<Place>(places);
    const index = place === 'replica' || place === 'worker' ? random.int(0, counts[place] - 1) : 0;
    const [min, max] = bounds;
    // Short durations are drawn more often, since faults of one store are injected one after the other.
    const lastsMs = Math.round(min + (max - min) * random.next() ** 2);
    storm.push({ kind, atMs, place, index, lastsMs, draw: random.next() });
  }
  return storm;
}
