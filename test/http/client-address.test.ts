// The network by which a client's address is rate-limited. [contract 17]
import { expect, it } from 'vitest';
import { countedNetworks } from '../../src/http/client-address.ts';

it.each([
  ['IPv4 is itself', ['203.0.113.7'], '203.0.113.7 ×1'],
  ['a port makes no other client', ['203.0.113.7:1', '203.0.113.7:65535'], '203.0.113.7 ×1'],
  [
    'IPv4 mapped into IPv6 is that IPv4',
    ['::ffff:203.0.113.7', '::FFFF:cb00:7107', '[::ffff:203.0.113.7]:443'],
    '203.0.113.7 ×1',
  ],
  [
    'an IPv6 address is counted as its /64 and its /48 in every notation',
    ['2001:db8:1:2:3:4:5:6', '2001:DB8:1:2::', '[2001:db8:1:2::9]', '[2001:db8:1:2::9]:443'],
    '2001:db8:1:2::/64 ×1, 2001:db8:1::/48 ×10',
  ],
  ['the next /64 is another client of the same /48', ['2001:db8:1:3::1'], '2001:db8:1:3::/64 ×1, 2001:db8:1::/48 ×10'],
  ['a /48 and its first /64 are two networks', ['2001:db8:2::1'], '2001:db8:2::/64 ×1, 2001:db8:2::/48 ×10'],
  ['a zone is left out', ['fe80::1%eth0'], 'fe80::/64 ×1, fe80::/48 ×10'],
  ['a text that is no address is counted as itself', ['unknown', 'UNKNOWN'], 'unknown ×1'],
])('%s', (_title, addresses, networks) => {
  const counted = addresses.map((address) =>
    countedNetworks(address)
      .map(({ key, times }) => `${key} ×${times}`)
      .join(', '),
  );
  expect(counted).toEqual(addresses.map(() => networks));
});
