import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Declared } from '@laurel/mongo';
import { ofEveryService } from '../packages/backend/src/indexes';

const SERVICES = readdirSync(path.join(__dirname, '../services')).filter(
  (name) => name !== 'gateway',
);
const declared = [
  ...ofEveryService,
  ...SERVICES.flatMap(
    (service) => (require(`@laurel/${service}`) as { indexes: readonly Declared[] }).indexes,
  ),
];

/** Redemptions on their way: gone within seconds, a handful in a workspace, and too hot for an index more. */
const IN_PASSING = new Set(['attempts']);
/** What a workspace has set up is few enough to be looked through. */
const areFew = ({ collection, growth }: Declared) =>
  growth?.shardKey === 'whole' || IN_PASSING.has(collection);

test('a merge, an erasure or an export finds the rows of a client by an index', () => {
  const slow = declared
    .filter((each) => !areFew(each))
    .flatMap(({ collection, personColumns, indexes }) =>
      personColumns
        .filter((column) => column !== '_id')
        .filter((column) => !indexes.some(({ key }) => leadsTo(key, column)))
        .map((column) => `${collection}: no index for ${column}, behind its tenant or alone`),
    );
  expect(slow).toEqual([]);
});

const leadsTo = (key: object, column: string) => {
  const [first, second] = Object.keys(key);
  return first === column || (first === 'workspace_id' && second === column);
};
