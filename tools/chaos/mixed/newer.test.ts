import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { countNewer } from './newer.mjs';

test('what waited for the next release is counted by queue, whatever else a log says', () => {
  const logs = mkdtempSync(path.join(tmpdir(), 'newer-'));
  const waits = (queue: string) =>
    `${JSON.stringify({ level: 40, queue, msg: 'an event waits for a newer release' })}\n`;
  writeFileSync(path.join(logs, 'a.log'), `starting\n${waits('a.b')}${waits('a.b')}`);
  writeFileSync(path.join(logs, 'c.log'), `${waits('c.d')}{"msg":"else"}\n`);
  expect(countNewer(logs)).toEqual(
    new Map([
      ['a.b', 2],
      ['c.d', 1],
    ]),
  );
  rmSync(logs, { recursive: true });
});
