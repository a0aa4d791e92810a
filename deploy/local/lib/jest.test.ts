import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { argumentsOf, suiteIn } from './jest.mjs';

const suiteThatFailedWith = (message: string) =>
  suiteIn({
    name: 'some.test.ts',
    status: 'failed',
    assertionResults: [{ fullName: 'holds', status: 'failed', failureMessages: [message] }],
    startTime: 0,
    endTime: 1_500,
  });

test('a property that fails on an example is known from a test that fails in a bad moment', () => {
  let said = '';
  try {
    fc.assert(fc.property(fc.nat(), (number) => number < 0));
  } catch (error) {
    said = String(error);
  }
  expect(suiteThatFailedWith(said)).toMatchObject({ hasExample: true, seconds: 1.5 });
  expect(suiteThatFailedWith('Expected: < 50\nReceived: 57')).toMatchObject({
    hasExample: false,
    failures: ['some.test.ts: holds'],
  });
});

test('a file that runs by itself ends its run, whatever it has left open', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'laurel-jest-'));
  try {
    const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
    write('package.json', '{}');
    write('jest.config.cjs', `module.exports = { projects: [{ displayName: 'restarts' }] };`);
    write('open.test.js', `test('opens', () => void setInterval(() => undefined, 1_000));`);
    const reportFile = path.join(folder, 'report.json');
    const files = [path.join(folder, 'open.test.js')];
    const args = argumentsOf({ project: 'restarts', files, reportFile, workers: 1 });
    const jest = path.join(__dirname, '../../../node_modules/jest/bin/jest.js');
    const options = { cwd: folder, timeout: 50_000 };
    const { status } = spawnSync(process.execPath, [jest, ...args], options);
    const { numPassedTests } = JSON.parse(readFileSync(reportFile, 'utf8'));
    expect([status, numPassedTests]).toEqual([0, 1]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
