import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type CollectionIndexes, uniqueBeyond } from '@laurel/mongo';
import { everyIndex } from '../packages/backend/src/indexes';
import { type Grown, grownOf, placedIn, renderGrowth } from './growth.mjs';

const SERVICES = readdirSync(path.join(__dirname, '../services')).filter(
  (name) => name !== 'gateway',
);
const indexesOf = (service: string): readonly CollectionIndexes[] =>
  (require(`@laurel/${service}`) as { indexes: readonly CollectionIndexes[] }).indexes;

const everywhere = grownOf('every service', everyIndex([]));
const own = SERVICES.flatMap((name) => grownOf(name, indexesOf(name)));
const all: readonly Grown[] = [...everywhere, ...own];

test('every collection says what its rows come of, when they go and by what it could be divided', () => {
  const silent = all.filter(({ growth }) => growth === undefined);
  expect(silent.map(({ service, collection }) => `${service}.${collection}`)).toEqual([]);
});

test('a row ends by itself, or its collection says why it stays', () => {
  for (const { collection, growth } of all)
    expect(`${collection}: ${growth?.end}`).toMatch(/: (stays: \w|(?!stays)\w)/);
});

test('every unique index lives with the shard key of its collection, or has its way out', () => {
  const misfits = all.map(({ service, collection, indexes, growth }) => ({
    of: `${service}.${collection}`,
    names: growth ? uniqueBeyond(growth.shardKey, indexes).sort() : [],
  }));
  const answered = all.map(({ service, collection, growth }) => ({
    of: `${service}.${collection}`,
    names: Object.keys(growth?.wayOut ?? {})
      .filter((name) => name !== '_id')
      .sort(),
  }));
  expect(misfits).toEqual(answered);
});

test('a collection that ends by a TTL index does not say that it stays for ever', () => {
  const ttl = all.filter(({ indexes }) => indexes.some((index) => 'expireAfterSeconds' in index));
  const staying = ttl.filter(({ growth }) => growth?.end.startsWith('stays'));
  expect(staying.map(({ service, collection }) => `${service}.${collection}`)).toEqual([]);
});

test('what is made stands in its place, whatever stood there', () => {
  const made = renderGrowth(everywhere);
  const document = `before\n${renderGrowth([])}\nbehind\n`;
  expect(placedIn(document, made)).toBe(`before\n${made}\nbehind\n`);
  expect(() => placedIn('nothing', made)).toThrow('no place');
});
