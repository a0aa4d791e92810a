import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CollectionIndexes } from '@laurel/mongo';
import { ofEveryService } from '../packages/backend/src/indexes';

const ROOT = path.join(__dirname, '..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** | word | what it is | kept as | never | */
const rows = read('docs/glossary.md')
  .split('\n')
  .filter((line) => /^\| \w/.test(line) && !line.startsWith('| word |'))
  .map((line) => {
    const [, word = '', , kept = '', never = ''] = line
      .split(' | ')
      .flatMap((cell, at) =>
        at === 0 ? ['', cell.replace(/^\| /, '')] : [cell.replace(/ ?\|$/, '')],
      );
    return {
      word,
      kept: [...kept.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
      never: never.split(', ').filter((other) => other !== ''),
    };
  });

const SERVICES = readdirSync(path.join(ROOT, 'services')).filter((name) => name !== 'gateway');
const everywhere = new Set(ofEveryService.map(({ collection }) => collection));
const collections = SERVICES.flatMap((service) => {
  const { indexes } = require(`@laurel/${service}`) as { indexes: readonly CollectionIndexes[] };
  const own = indexes.filter(({ collection }) => !everywhere.has(collection));
  return [...new Set(own.map(({ collection }) => `${service}.${collection}`))];
});

test('every word is explained once', () => {
  const words = rows.map(({ word }) => word);
  expect(words.length).toBeGreaterThan(45);
  expect(words).toEqual([...new Set(words)]);
});

test('every collection keeps something that has one word', () => {
  expect(rows.flatMap(({ kept }) => kept).sort()).toEqual([...collections].sort());
});

test('no URL, event or collection says a word that is never said', () => {
  const { paths } = JSON.parse(read('docs/openapi.json')) as { paths: object };
  const { channels } = JSON.parse(read('docs/asyncapi.json')) as { channels: object };
  const said = [...Object.keys(paths), ...Object.keys(channels), ...collections].flatMap((name) =>
    name.split(/[/.]/),
  );
  const words = new Set([...said, ...said.map((name) => name.replace(/s$/, ''))]);
  for (const { word, never } of rows)
    for (const other of never)
      expect([word, words.has(other) ? other : null]).toEqual([word, null]);
});
