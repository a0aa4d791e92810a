import { complaintAboutUrl, mayDial } from './url-guard';

const strict = { allowInsecure: false };
const insecure = { allowInsecure: true };

const LOOPBACK = [
  '127.0.0.1',
  '127.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '１２７.0.0.1',
  '127。0。0。1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  'localhost',
  'localhost.',
  'LOCALHOST',
  'foo.localhost',
  'foo.localhost.',
];

const OTHER_PRIVATE = [
  '0.0.0.0',
  '0',
  '0x0',
  '10.0.0.1',
  '10.255.255.255',
  '167772161',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.1',
  '0xc0a80001',
  '100.64.0.1',
  '169.254.169.254',
  '169.254.1.1',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::ffff:10.0.0.1]',
  '[::ffff:c0a8:1]',
  '[::]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::]',
  '[2001:0:7f00:1::]',
  '[fc00::1]',
  '[fd12:3456:789a::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  'metadata.google.internal',
  'metadata.google.internal.',
  'printer.local',
  'intranet',
  'ledger',
  'router.lan',
  'nas.home.arpa',
];

const PUBLIC = [
  'example.com',
  'hooks.example.com:8443',
  '93.184.216.34',
  '[2606:2800:220:1:248:1893:25c8:1946]',
  'xn--bcher-kva.example',
  'localhost.example.com',
  'mylocalhost.com',
];

const paths = ['', '/', '/hook?a=1', ':443/hook'];
const withPort = (host: string, path: string) =>
  path.startsWith(':') && /:\d+$/.test(host) ? host : `${host}${path}`;

it.each([...LOOPBACK, ...OTHER_PRIVATE])('refuses https://%s in any dress', (host) => {
  for (const path of paths) {
    expect(complaintAboutUrl(`https://${withPort(host, path)}`, strict)).not.toBeNull();
    expect(complaintAboutUrl(`http://${withPort(host, path)}`, strict)).not.toBeNull();
  }
});

it.each(OTHER_PRIVATE)('refuses %s even where loopback is allowed', (host) => {
  for (const scheme of ['http', 'https']) {
    expect(complaintAboutUrl(`${scheme}://${host}/hook`, insecure)).not.toBeNull();
  }
});

it.each(LOOPBACK)('takes %s by http where insecure webhooks are allowed', (host) => {
  expect(complaintAboutUrl(`http://${host}/hook`, insecure)).toBeNull();
});

it.each(PUBLIC)('takes %s by https and never by http', (host) => {
  for (const guard of [strict, insecure]) {
    expect(complaintAboutUrl(`https://${host}/hook`, guard)).toBeNull();
    expect(complaintAboutUrl(`http://${host}/hook`, guard)).not.toBeNull();
  }
});

it.each([
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://:secret@example.com/',
  'https://example.com@127.0.0.1/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'unix:/var/run/docker.sock',
  '//example.com/hook',
  'example.com/hook',
  'https://',
  'https:// /',
  'https://exa mple.com',
  'https://[::1',
  'https://256.256.256.256/',
  'https://example.com:99999/',
  '',
  'not a url',
  `https://example.com/${'a'.repeat(2_100)}`,
])('refuses %j', (url) => {
  expect(complaintAboutUrl(url, strict)).not.toBeNull();
  expect(complaintAboutUrl(url, insecure)).not.toBeNull();
});

it('dials loopback only for names that say so, and only where it is allowed', () => {
  expect(mayDial('127.0.0.1', 'localhost', insecure)).toBe(true);
  expect(mayDial('::1', 'localhost.', insecure)).toBe(true);
  expect(mayDial('127.0.0.1', 'rebind.example.com', insecure)).toBe(false);
  expect(mayDial('127.0.0.1', 'localhost', strict)).toBe(false);
  expect(mayDial('10.0.0.1', 'localhost', insecure)).toBe(false);
  expect(mayDial('93.184.216.34', 'example.com', strict)).toBe(true);
  expect(mayDial('not an address', 'example.com', strict)).toBe(false);
});
