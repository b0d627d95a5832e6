// Which client an address stands for. [contract 17]
import { expect, it } from 'vitest';
import { clientAddressKey } from '../../src/http/client-address.ts';

it.each([
  ['IPv4 is itself', ['203.0.113.7'], '203.0.113.7'],
  ['a port makes no other client', ['203.0.113.7:1', '203.0.113.7:65535'], '203.0.113.7'],
  [
    'IPv4 mapped into IPv6 is that IPv4',
    ['::ffff:203.0.113.7', '::FFFF:cb00:7107', '[::ffff:203.0.113.7]:443'],
    '203.0.113.7',
  ],
  [
    'IPv6 is its /64, however it is written',
    ['2001:db8:1:2:3:4:5:6', '2001:DB8:1:2::', '[2001:db8:1:2::9]', '[2001:db8:1:2::9]:443'],
    '2001:db8:1:2::',
  ],
  ['the next /64 is another client', ['2001:db8:1:3::1'], '2001:db8:1:3::'],
  ['a zone is left out', ['fe80::1%eth0'], 'fe80::'],
  ['what is no address stands for itself', ['unknown', 'UNKNOWN'], 'unknown'],
])('%s', (_title, addresses, key) => {
  expect(addresses.map(clientAddressKey)).toEqual(addresses.map(() => key));
});
