// Finds the addresses under which other devices reach this machine, so that a phone in the same network can open the
// page.
import { networkInterfaces } from 'node:os';

const ALL_INTERFACES = ['0.0.0.0', '::'];
/** Interfaces of containers, virtual machines and tunnels, which phones can't reach. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|utun|tun|tap)/;

/**
 * @param host the address that the replicas listen on
 * @returns this machine's IPv4 addresses; none unless the replicas listen on all interfaces
 */
export function networkAddresses(host: string): string[] {
  if (!ALL_INTERFACES.includes(host)) return [];
  return Object.entries(networkInterfaces())
    .filter(([name]) => !VIRTUAL.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}
