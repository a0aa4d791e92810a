import { call, gateways } from '../support/api';

/** What the network carries for the first view, in bytes as they are sent. */
async function weightOf(page: string, language: string): Promise<number> {
  const [gateway] = gateways();
  const headers = { 'Accept-Encoding': 'br' };
  const shell = await call('GET', `!${page}`, { gateway, headers });
  expect(shell.status).toBe(200);
  let sum = shell.bytes.length;
  const named = [...shell.text.matchAll(/(?:href|src)="(\/[^"]+\.(?:js|css))"/g)].map(
    (match) => match[1]!,
  );
  for (const file of named) {
    const answer = await call('GET', `!${file}`, { gateway, headers });
    expect([file, answer.status, answer.headers.get('content-encoding')]).toEqual([
      file,
      200,
      'br',
    ]);
    expect(answer.headers.get('cache-control')).toContain('immutable');
    sum += Number(answer.headers.get('content-length'));
    // The words of one language follow.
    const words = new RegExp(`assets/${language}-[\\w-]+\\.js`).exec(answer.text)?.[0];
    if (words === undefined) continue;
    const place = file.slice(0, file.indexOf('assets/'));
    const followed = await call('GET', `!${place}${words}`, { gateway, headers });
    expect(followed.status).toBe(200);
    sum += Number(followed.headers.get('content-length'));
  }
  return sum;
}

describe('what a page weighs', () => {
  test.each([
    ['/sign-in', 50],
    ['/till/', 40],
  ])('%s comes in at most %d KB', async (page, kilobytes) => {
    const weight = await weightOf(page, 'de');
    expect(weight).toBeGreaterThan(5_000);
    expect(weight).toBeLessThanOrEqual(kilobytes * 1_024);
  });
});
