import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

test.each([
  ['LICENSE', /Apache License\s+Version 2\.0[\s\S]+END OF TERMS AND CONDITIONS/],
  ['SECURITY.md', /report/i],
  ['CONTRIBUTING.md', /npm test/],
  ['CHANGELOG.md', /^## /m],
])('whoever looks for %s at the root finds what it is for', (file, what) => {
  expect(read(file)).toMatch(what);
});
