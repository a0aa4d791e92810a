import { execFileSync } from 'node:child_process';
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
    const said = execFileSync(process.execPath, [script, '--help'], {
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect(said).toMatch(/^npm (run )?[a-z]+/);
    expect(said).not.toContain('//\n');
  },
);
