// Measures how a Redis Cluster of three masters shares the load: a hundred lobbies of 8, whose keys follow from their
// random ids, and one room of a thousand, all of whose keys are on one master.
import { type Crowd, startCrowd } from './contenders.ts';
import { type Figure, inTurns, sum } from './figures.ts';
import { type RedisUse, redisUse } from './meter.ts';
import type { Field } from './players.ts';
import { openStage, type Stage } from './stage.ts';

const REPETITIONS = 3;
const SMALL: Field = { rooms: 100, players: 8, rounds: 10, thinkMs: [200, 600] };
const LARGE: Field = { rooms: 1, players: 1000, rounds: 10, thinkMs: [0, 3000] };
const EVEN_SHARE = 100 / 3;

export async function measureMasters(): Promise<Figure[]> {
  const stage = await openStage({ isCluster: true });
  try {
    const crowd = await startCrowd(stage, Math.max(SMALL.players * SMALL.rooms, LARGE.players));
    const runs = [SMALL, LARGE].map((field) => () => usesOf(stage, crowd, field));
    const [small = [], large = []] = await inTurns(REPETITIONS, runs);
    await crowd.stop();
    return figuresOf(small, large);
  } finally {
    await stage.close();
  }
}

/** @returns what the games of a field take of each master */
async function usesOf(stage: Stage, crowd: Crowd, field: Field): Promise<RedisUse[]> {
  const rooms = await crowd.enter(field);
  const before = await Promise.all(stage.redisServers.map(redisUse));
  await Promise.all(rooms.map((room) => room.play()));
  const after = await Promise.all(stage.redisServers.map(redisUse));
  for (const room of rooms) room.close();
  return after.map(({ cpuMs, commands }, master) => ({
    cpuMs: cpuMs - (before[master]?.cpuMs ?? 0),
    commands: commands - (before[master]?.commands ?? 0),
  }));
}

function figuresOf(small: readonly RedisUse[][], large: readonly RedisUse[][]): Figure[] {
  const share = (what: string, part: keyof RedisUse): Figure => {
    const sums = [0, 1, 2].map((master) => sum(small.map((uses) => uses[master]?.[part] ?? 0)));
    return {
      name: `100 lobbies of 8: ${what} of each of three masters`,
      unit: '% of all',
      values: sums.map((used) => (used * 100) / sum(sums)),
      floor: { name: 'an even share', values: [EVEN_SHARE, EVEN_SHARE, EVEN_SHARE] },
    };
  };
  const cost = (what: string, unit: string, part: keyof RedisUse): Figure => {
    const used = large.map((uses) => uses.map((use) => use[part] / LARGE.rounds));
    return {
      name: `a room of 1,000: ${what} of its master, a round`,
      unit,
      values: used.map((each) => Math.max(...each)),
      floor: { name: 'the other two', values: used.map((each) => sum(each) - Math.max(...each)) },
    };
  };
  return [
    share('commands', 'commands'),
    share('CPU', 'cpuMs'),
    cost('commands', '', 'commands'),
    cost('CPU', 'ms', 'cpuMs'),
  ];
}
