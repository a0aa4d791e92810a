import { isIPv6 } from 'node:net';

/**
 * What limits by address count: an IPv4 address as it is, of an IPv6 address its network of 64 bits, which is what one
 * household or machine has to itself. Every limit by address goes by this.
 */
export function addressKey(ip: string | undefined): string {
  if (ip === undefined) return 'unknown';
  const [address = ''] = ip.split('%');
  if (!isIPv6(address)) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? `${networkOf(address)}::/64`;
}

/** The first four groups; `::` stands for as many groups of zero as are missing. */
function networkOf(address: string): string {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // The four bytes of an embedded IPv4 address stand for two groups.
  const given = before.length + after.length + (address.includes('.') ? 1 : 0);
  const groups = [...before, ...Array<string>(Math.max(0, 8 - given)).fill('0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
