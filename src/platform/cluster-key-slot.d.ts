// What ioredis itself finds slots with; it comes without types.
declare module 'cluster-key-slot' {
  /** @returns the slot of a key of a Redis Cluster, from 0 to 16383 */
  export default function keySlot(key: string): number;
}
