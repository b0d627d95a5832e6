// Measures costs in CPU time of this process. Other processes affect CPU time little, so that two costs of
// one run can be compared.

/** @returns the CPU time of `act`, ms, summed over all threads of this process */
export async function cpuMs(act: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** How often two costs are compared before the dearer one counts as too dear. */
const COMPARISONS_MAX = 12;

/**
 * Compares what two acts cost at least. They run in turn, so that whatever slows the machine down slows both;
 * as soon as the ratio is below the limit, the comparison ends.
 * @param limit the ratio that `act` should stay below
 * @param floor what `act` is compared with
 * @returns the least processor time of `act` ÷ that of `floor`
 */
export async function costRatio(limit: number, act: () => unknown, floor: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  let leastOfFloor = Number.POSITIVE_INFINITY;
  for (let left = COMPARISONS_MAX; left > 0 && !(least / leastOfFloor < limit); left--) {
    leastOfFloor = Math.min(leastOfFloor, await cpuMs(floor));
    least = Math.min(least, await cpuMs(act));
  }
  return least / leastOfFloor;
}
