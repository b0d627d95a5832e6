// Notes the address of each request's client, and decides by which networks it is counted. In IPv6 a household has a
// whole /64, and a rented server often a /48, so that counting single addresses would limit nobody. [contract 17]
import { isIP } from 'node:net';
import type { onRequestHookHandler } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { CountedNetwork } from '../platform/redis/limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address; unlike `ip` it is there when the client has gone too. */
    clientAddress: string;
  }
}

/**
 * A closed connection tells no address, which Fastify's types don't know. A request whose client has gone before this
 * hook is dropped: nobody reads its reply, and nobody could be limited for it. [contract 17]
 */
export const noteClientAddress: onRequestHookHandler = (request, _reply, done) => {
  const address: string | undefined = request.ip;
  if (address === undefined) return void request.raw.destroy();
  request.clientAddress = address;
  done();
};

/** Some proxies write `203.0.113.7:51234`, `[2001:db8::1]` or `[2001:db8::1]:51234`. */
const BRACKETS_OR_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([^:]+):\d+)$/;

/** The counted prefixes of IPv6; `groups` is their length in groups of 16 bits. */
const IPV6_PREFIXES = [
  { groups: 4, times: 1 },
  { groups: 3, times: 10 },
];

/**
 * @returns the networks, the narrowest first: for IPv6 the /64 and the /48, for IPv4, also mapped into IPv6, the
 *   address itself; a text that is no address is returned as it is. One client always gets the same keys
 */
export function countedNetworks(address: string): CountedNetwork[] {
  const [, bracketed, bare] = BRACKETS_OR_PORT.exec(address) ?? [];
  const plain = bracketed ?? bare ?? address;
  // An IPv4 address has one form alone.
  if (isIP(plain) !== 6) return [{ key: plain.toLowerCase(), times: 1 }];
  const parsed = ipaddr.process(plain);
  if (parsed.kind() === 'ipv4') return [{ key: parsed.toString(), times: 1 }];
  const { parts } = parsed as ipaddr.IPv6;
  return IPV6_PREFIXES.map(({ groups, times }) => {
    const network = new ipaddr.IPv6(parts.map((part, at) => (at < groups ? part : 0)));
    return { key: `${network}/${16 * groups}`, times };
  });
}
