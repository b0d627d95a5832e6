// Which client an address stands for, wherever clients are counted by address: one household has a
// whole /64 of IPv6, one client may be written in two ways, and a port is only a connection's.
// [contract 17]
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** `203.0.113.7:51234`, `[2001:db8::1]`, `[2001:db8::1]:51234`, as some proxies write clients. */
const BRACKETS_OR_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([^:]+):\d+)$/;

const SUBNET_GROUPS = 4;

/**
 * @param address as `request.ip` has it, with or without a port
 * @returns the same text for whatever counts as one client: IPv6 by its /64, a mapped IPv4 address
 * as that address; what is no address stands for itself
 */
export function clientAddressKey(address: string): string {
  const [, bracketed, bare] = BRACKETS_OR_PORT.exec(address) ?? [];
  const plain = bracketed ?? bare ?? address;
  if (!isIP(plain)) return plain.toLowerCase();
  const parsed = ipaddr.process(plain);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const { parts } = parsed as ipaddr.IPv6;
  return new ipaddr.IPv6(parts.map((part, at) => (at < SUBNET_GROUPS ? part : 0))).toString();
}
