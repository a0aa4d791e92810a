import { readFileSync } from 'node:fs';
import path from 'node:path';
import { testFilesOf } from './modules.mjs';
import { OF_JEST, TARGETS } from './targets.mjs';

const ROOT = path.resolve(__dirname, '../..');

test.each(Object.entries(TARGETS))(
  'the tests of %s run without Jest, by what npm run mutate gives them: one that needs more would end the whole run',
  (_name, { of }) => {
    const files = testFilesOf(of.map((entry) => path.join(ROOT, entry)));
    expect(files).not.toEqual([]);
    const needed = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bjest\.(\w+)/g)].map(([, name]) => name),
    );
    expect(needed.filter((name) => !OF_JEST.some((given) => given === name))).toEqual([]);
  },
);
