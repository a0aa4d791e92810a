import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { longestPauseOf } from './machine.mjs';

const BLOCKED_MS = 400;

describe('the longest pause of a machine', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'machine-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is as long as everything stood still, and its file does not stay', async () => {
    let looks = 0;
    const pausedMs = await longestPauseOf(folder, () => {
      looks += 1;
      if (looks === 2) setTimeout(standStill, 1);
      return looks < 4;
    });
    // What a look takes by itself is not part of the pause.
    expect(pausedMs).toBeGreaterThan(BLOCKED_MS / 2);
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** As a process that gets no processor. */
const standStill = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
