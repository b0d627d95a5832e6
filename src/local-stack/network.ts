// How other devices reach this machine: a phone in the same network opens the page under this
// machine's address, not under "localhost".
import { networkInterfaces } from 'node:os';

const ALL_INTERFACES = ['0.0.0.0', '::'];
/** Networks of containers and virtual machines, where no phone is. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|utun|tun|tap)/;

/**
 * @param host what the replicas listen on
 * @returns this machine's IPv4 addresses in its networks; none when they listen elsewhere
 */
export function networkAddresses(host: string): string[] {
  if (!ALL_INTERFACES.includes(host)) return [];
  return Object.entries(networkInterfaces())
    .filter(([name]) => !VIRTUAL.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}
