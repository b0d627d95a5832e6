// How many sockets each client address has open on this replica. [contract 17]
import { clientAddressKey } from '../../http/client-address.ts';

/**
 * @param max places of one client address
 * @returns what takes a place: it returns what frees it, once, or null when there is none left
 */
export function createAddressPlaces(max: number): (address: string) => (() => void) | null {
  const counts = new Map<string, number>();
  return (address) => {
    const key = clientAddressKey(address);
    const count = counts.get(key) ?? 0;
    if (count >= max) return null;
    counts.set(key, count + 1);
    return () => {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    };
  };
}
