import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '../../..');
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

test.each(Object.entries(scripts).filter(([, command]) => /^node \S+\.mjs$/.test(command)))(
  'npm run %s -- --help says what it does, and does nothing',
  (_name, command) => {
    const script = path.join(ROOT, command.split(' ')[1]!);
    const { status, error, stdout } = spawnSync(process.execPath, [script, '--help'], {
      encoding: 'utf8',
      timeout: 120_000,
    });
    // Not thrown: an error of a child process names itself as its cause, and jest can write no report of that.
    expect({ status, problem: error?.message }).toEqual({ status: 0, problem: undefined });
    expect(stdout).toMatch(/^npm (run )?[a-z]+/);
    expect(stdout).not.toContain('//\n');
  },
);
