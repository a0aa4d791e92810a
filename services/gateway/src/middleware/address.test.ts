import { addressKey } from './address';

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::1.2.3.4', '64:ff9b:0:0::/64'],
  ['::2:3:4:5:6:7', '0:0:2:3::/64'],
  ['1::4:5:6:7:8', '1:0:0:4::/64'],
  ['1::3:4:5:6:1.2.3.4', '1:0:3:4::/64'],
  ['1:2::', '1:2:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['2::ffff:1.2.3.4', '2:0:0:0::/64'],
])('of %s the network of 64 bits is counted', (ip, key) => expect(addressKey(ip)).toBe(key));

test('an IPv4 address is counted as it is, however it is written', () => {
  expect(addressKey('192.0.2.7')).toBe('192.0.2.7');
  expect(addressKey('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(addressKey('::FFFF:198.51.100.123')).toBe('198.51.100.123');
  expect(addressKey(undefined)).toBe('unknown');
});
