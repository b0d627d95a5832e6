// The quota of open sockets of each client address, on this replica alone. [contract 17]
import { type CountedNetwork, countedNetworks } from '../../http/client-address.ts';

export interface AddressQuota {
  /** @returns the networks in which the socket counts until `release`; null when a quota is used up */
  acquire(address: string): CountedNetwork[] | null;
  release(networks: CountedNetwork[]): void;
}

/** @param max sockets of one client address */
export function createAddressQuota(max: number): AddressQuota {
  const counts = new Map<string, number>();
  const countOf = (key: string) => counts.get(key) ?? 0;
  return {
    acquire(address) {
      const networks = countedNetworks(address);
      if (networks.some(({ key, times }) => countOf(key) >= times * max)) return null;
      for (const { key } of networks) counts.set(key, countOf(key) + 1);
      return networks;
    },
    release(networks) {
      for (const { key } of networks) {
        const left = countOf(key) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      }
    },
  };
}
