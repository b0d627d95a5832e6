// What is done to the service and when: drawn from a seed alone, so that a run can be had again.
// Storms, in which faults overlap, take turns with calms, in which everything must come right.
import type { Random } from '../../src/prove/random.ts';

/** How Redis is run: one server, a primary and its replica under a Sentinel, or three and three. */
export type Topology = 'single' | 'sentinel' | 'cluster';

export type Place = 'replica' | 'worker' | 'redis' | 'postgres';

interface Kind {
  places: readonly Place[];
  /** How long it lasts, ms. */
  lastsMs: readonly [min: number, max: number];
  /** How often it is drawn, compared with others. */
  weight: number;
  /** Where it is possible; by default everywhere. */
  topologies?: readonly Topology[];
  /** Whether it needs another release's code. */
  needsRelease?: boolean;
}

const ONE_SERVER: readonly Topology[] = ['single'];
/** Where Redis stands behind a proxy of ours. */
const PROXIED: readonly Topology[] = ['single', 'sentinel'];

/** Every kind of fault; what it does is in faults/, in a file of its name. */
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
  'lock-table': { places: ['postgres'], lastsMs: [200, 4000], weight: 4 },
  update: { places: ['replica', 'worker'], lastsMs: [0, 500], weight: 4, needsRelease: true },
} as const satisfies Record<string, Kind>;

export type FaultKind = keyof typeof KINDS;

export interface PlannedFault {
  kind: FaultKind;
  /** From the beginning of its storm. */
  atMs: number;
  place: Place;
  /** Which of the replicas or workers; 0 for a store. */
  index: number;
  lastsMs: number;
  /** For whatever else the fault has to choose, from 0 up to 1. */
  draw: number;
}

export type Storm = readonly PlannedFault[];

export interface Circumstances {
  topology: Topology;
  replicas: number;
  workers: number;
  /** Whether there is another release to update from. */
  hasRelease: boolean;
}

const STORM_MS = [8000, 20_000] as const;
const GAP_MS = [300, 1500] as const;

/** @returns the kinds that are possible */
export function possibleKinds({ topology, hasRelease }: Circumstances): FaultKind[] {
  return (Object.keys(KINDS) as FaultKind[]).filter((name) => {
    const kind: Kind = KINDS[name];
    return (kind.topologies?.includes(topology) ?? true) && (hasRelease || !kind.needsRelease);
  });
}

/** @returns the next storm of a run */
export function drawStorm(random: Random, circumstances: Circumstances): Storm {
  const kinds = possibleKinds(circumstances).flatMap((kind) =>
    Array.from({ length: KINDS[kind].weight }, () => kind),
  );
  const counts = { replica: circumstances.replicas, worker: circumstances.workers };
  const storm: PlannedFault[] = [];
  const endMs = random.int(...STORM_MS);
  for (let atMs = 0; atMs < endMs; atMs += random.int(...GAP_MS)) {
    const kind = random.pick(kinds);
    const { places, lastsMs: bounds } = KINDS[kind];
    const place = random.pick<Place>(places);
    const index = place === 'replica' || place === 'worker' ? random.int(0, counts[place] - 1) : 0;
    const [min, max] = bounds;
    // Short ones more often: what is done to one store is done one after the other.
    const lastsMs = Math.round(min + (max - min) * random.next() ** 2);
    storm.push({ kind, atMs, place, index, lastsMs, draw: random.next() });
  }
  return storm;
}
