// How many sockets each client address has open on this replica. [contract 17]
import { clientAddressKey } from '../../http/client-address.ts';

export interface AddressPlaces {
  /** @returns whose place was taken, to free it, or null when there is none left */
  take(address: string): string | null;
  free(key: string): void;
}

/** @param max places of one client address */
export function createAddressPlaces(max: number): AddressPlaces {
  const counts = new Map<string, number>();
  return {
    take(address) {
      const key = clientAddressKey(address);
      const count = counts.get(key) ?? 0;
      if (count >= max) return null;
      counts.set(key, count + 1);
      return key;
    },
    free(key) {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    },
  };
}
