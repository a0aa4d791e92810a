import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '..');
const ROW = /^\| (.+?) \| `([^`]+\.test\.ts)`: "(.+)" \|$/gm;

/** The table of docs/security.md: a finding, a file of tests, and what one of them is called. */
const findings = [...readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8').matchAll(ROW)].map(
  ([, finding, file, title]) => ({ finding: finding!, file: file!, title: title! }),
);

test('the table of findings is there', () => {
  expect(findings.length).toBeGreaterThan(50);
});

test.each(findings)('$finding is kept closed by a test of that name', ({ file, title }) => {
  expect(readFileSync(path.join(ROOT, file), 'utf8')).toContain(title);
});
