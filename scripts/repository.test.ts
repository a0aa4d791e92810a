import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

test.each([
  ['LICENSE', /Apache License\s+Version 2\.0[\s\S]+END OF TERMS AND CONDITIONS/],
  ['SECURITY.md', /report/i],
  ['CONTRIBUTING.md', /npm test/],
  ['CHANGELOG.md', /^## /m],
])('%s at the root holds what readers look there for', (file, what) => {
  expect(read(file)).toMatch(what);
});

test.each(
  readdirSync(path.join(ROOT, 'packages')).filter(
    (name) => !JSON.parse(read(`packages/${name}/package.json`)).private,
  ),
)('%s, which is handed on by itself, bears the licence', (name) => {
  expect(read(`packages/${name}/LICENSE`)).toBe(read('LICENSE'));
});

test.each(readdirSync(path.join(ROOT, 'services')))(
  'the README of %s has its words, what it owns, keeps true and refuses to know under the headings of all',
  (service) => {
    const text = read(`services/${service}/README.md`);
    const headings = text.split('\n').filter((line) => line.startsWith('#'));
    const shared = ['## Words', '## Owns', '## Invariants', '## Refuses to know'];
    expect(headings[0]).toBe(`# ${service}`);
    expect(shared.filter((heading) => !headings.includes(heading))).toEqual([]);
  },
);
