import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { call, gateways } from '../support/api';

const [gateway] = gateways();
const headers = { 'Accept-Encoding': 'br' };
/** What a script cannot do without; what it only may load later is no import of this kind. */
const IMPORT = /(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g;

/** What the network carries for the first view, in bytes as they are sent. */
async function weightOf(page: string, language: string, firstView: string | null): Promise<number> {
  const shell = await call('GET', `!${page}`, { gateway, headers });
  expect(shell.status).toBe(200);
  let sum = shell.bytes.length;
  const seen = new Set<string>();
  const add = async (file: string): Promise<void> => {
    if (seen.has(file)) return;
    seen.add(file);
    const answer = await call('GET', `!${file}`, { gateway, headers });
    expect([file, answer.status]).toEqual([file, 200]);
    sum += Number(answer.headers.get('content-length'));
    const place = file.slice(0, file.indexOf('assets/'));
    // What has no digest in its name is a line or two, and asked for again each time.
    if (!file.includes('/assets/')) return;
    expect(answer.headers.get('cache-control')).toContain('immutable');
    const isPacked = answer.headers.get('content-encoding') === 'br';
    expect([file, isPacked || answer.bytes.length < 600]).toEqual([file, true]);
    for (const match of answer.text.matchAll(IMPORT)) await add(`${place}assets/${match[1]}`);
    // The words of one language follow, and the code of the first view where it is apart.
    for (const name of [language, firstView]) {
      const later = name && new RegExp(`assets/${name}-[\\w-]+\\.js`).exec(answer.text)?.[0];
      if (later) await add(`${place}${later}`);
    }
  };
  for (const match of shell.text.matchAll(/(?:href|src)="(\/[^"]+\.(?:js|css))"/g))
    await add(match[1]!);
  if (firstView) expect([...seen].join()).toContain(`/${firstView}-`);
  return sum;
}

describe('what a page weighs', () => {
  test.each<[page: string, kilobytes: number, firstView: string | null]>([
    ['/sign-in', 50, null],
    ['/till/', 40, null],
    ['/console', 180, 'overview'],
  ])('%s comes in at most %d KB', async (page, kilobytes, firstView) => {
    const weight = await weightOf(page, 'de', firstView);
    expect(weight).toBeGreaterThan(5_000);
    expect(weight).toBeLessThanOrEqual(kilobytes * 1_024);
  });

  test('the editor of formulas comes in at most 110 KB, and only when it is asked for', async () => {
    const folder = path.join(__dirname, '../../packages/console-page/dist/assets');
    const packed = readdirSync(folder).filter((name) => /^formula-editor-.*\.br$/.test(name));
    expect(packed).toHaveLength(1);
    expect(statSync(path.join(folder, packed[0]!)).size).toBeLessThanOrEqual(110 * 1_024);
  });
});
