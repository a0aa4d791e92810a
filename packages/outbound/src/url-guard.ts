import ipaddr from 'ipaddr.js';

const LOOPBACK = 'loopback';
/** All of IPv6 that is routed on the internet; ipaddr.js calls some of the deprecated rest unicast too. */
const IPV6_GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');
/** Names that never leave the machine or the network around it. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|localdomain|home\.arpa|lan|intranet)$/;
const URL_LENGTH_MAX = 2_048;

export interface GuardOptions {
  /** WEBHOOK_ALLOW_INSECURE: loopback may be reached, there also by http. */
  allowInsecure: boolean;
}

/** Which network an address belongs to: `unicast` is the internet, anything else must not be dialled. */
export function networkOf(address: string): string {
  let parsed: ipaddr.IPv4 | ipaddr.IPv6;
  try {
    parsed = ipaddr.process(address);
  } catch {
    return 'invalid';
  }
  const range = parsed.range();
  if (range !== 'unicast' || parsed.kind() === 'ipv4') return range;
  return (parsed as ipaddr.IPv6).match(IPV6_GLOBAL) ? range : 'reserved';
}

/** Whether this very address may be dialled on behalf of a host name. */
export function mayDial(
  address: string,
  hostname: string,
  { allowInsecure }: GuardOptions,
): boolean {
  const network = networkOf(address);
  return (
    network === 'unicast' || (network === LOOPBACK && allowInsecure && isLoopbackName(hostname))
  );
}

/** Host of a parsed URL without brackets and without the dot that ends a full name. */
export function bareHost(url: URL): string {
  return url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

function isLoopbackName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '').toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return ipaddr.isValid(name) && networkOf(name) === LOOPBACK;
}

/**
 * What is wrong with an address that somebody wants messages sent to, as a sentence; null when it
 * may be tried. Names are checked once more, by their addresses, when they are dialled.
 */
export function complaintAboutUrl(text: string, options: GuardOptions): string | null {
  if (text.length > URL_LENGTH_MAX) return `url must be at most ${URL_LENGTH_MAX} characters long`;
  if (!/^https?:\/\//i.test(text)) return 'url must be an absolute https address';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || url.hostname === '') return 'url must be an absolute https address';
  if (url.username !== '' || url.password !== '')
    return 'url must not hold a user name or password';
  const host = bareHost(url);
  const loopbackAllowed = options.allowInsecure && isLoopbackName(host);
  if (url.protocol !== 'https:' && !loopbackAllowed) return 'url must use https';
  if (loopbackAllowed) return null;
  if (ipaddr.isValid(host)) {
    return mayDial(host, host, options) ? null : 'url must not point to a private or local address';
  }
  if (LOCAL_NAME.test(host) || !host.includes('.')) {
    return 'url must not point to a private or local address';
  }
  return null;
}
