import { MockAgent } from 'undici';
import { FILE_BYTES_MAX, fetchBytes } from './fetch-image';

const HOST = 'https://images.example.com';
const BYTES = Buffer.from('bytes of an image');

let agent: MockAgent;
beforeEach(() => {
  agent = new MockAgent();
  agent.disableNetConnect();
});
afterEach(() => agent.close());

const serve = (path: string, host = HOST) => agent.get(host).intercept({ path });
const leadTo = (path: string, location: string, host = HOST) =>
  serve(path, host).reply(302, '', { headers: { location } });

test('an image is fetched, also after redirects', async () => {
  leadTo('/a', '/b');
  leadTo('/b', 'https://cdn.example.com/c');
  serve('/c', 'https://cdn.example.com').reply(200, BYTES);
  expect(await fetchBytes(`${HOST}/a`, agent)).toEqual(BYTES);
});

test.each([
  'https://127.0.0.1/secret',
  'https://10.0.0.8/secret',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/secret',
  'https://[fd00:ec2::254]/latest',
  'https://localhost/secret',
  'https://db.internal/secret',
  'http://images.example.com/plain',
  'file:///etc/passwd',
])('neither asked for nor led to, %s is not reached', async (url) => {
  leadTo('/a', url);
  expect(await fetchBytes(url, agent)).toBeNull();
  expect(await fetchBytes(`${HOST}/a`, agent)).toBeNull();
});

test('redirects that never end are given up', async () => {
  serve('/round')
    .reply(302, '', { headers: { location: '/round' } })
    .persist();
  expect(await fetchBytes(`${HOST}/round`, agent)).toBeNull();
});

test.each([201, 204, 403, 404, 500])('an answer %i is no image', async (status) => {
  serve('/a').reply(status, BYTES);
  expect(await fetchBytes(`${HOST}/a`, agent)).toBeNull();
});

test('more than 5 MiB are not taken', async () => {
  serve('/a').reply(200, Buffer.alloc(FILE_BYTES_MAX));
  expect(await fetchBytes(`${HOST}/a`, agent)).toHaveLength(FILE_BYTES_MAX);
  serve('/b').reply(200, Buffer.alloc(FILE_BYTES_MAX + 1));
  expect(await fetchBytes(`${HOST}/b`, agent)).toBeNull();
});

test('a host that does not answer gives nothing', async () => {
  serve('/a').replyWithError(new Error('away'));
  expect(await fetchBytes(`${HOST}/a`, agent)).toBeNull();
});
