import { collectionViolations } from './collection-rules.mjs';

const STORE = 'services/things/src/store/things.ts';
const LIST = 'services/things/src/collections.ts';
const declared = "export const things = collection<Thing>('things', {});";

test('a collection that its service does not list is refused', () => {
  const listed = { file: LIST, source: 'export const collections = [things, ...ofEveryService];' };
  expect(collectionViolations([{ file: STORE, source: declared }, listed])).toEqual([]);
  const others = {
    file: LIST,
    source: 'export const collections = [otherThings, ...ofEveryService];',
  };
  expect(collectionViolations([{ file: STORE, source: declared }, others])).toEqual([
    `${STORE}: things is not in ${LIST}: nobody would remove what it holds`,
  ]);
});

test('an answer that names a use case which is not there is refused', () => {
  const source = "merged: 'by hand: use-cases/merge-things.ts'";
  const useCase = 'services/things/src/use-cases/merge-things.ts';
  const store = { file: STORE, source };
  expect(collectionViolations([store, { file: useCase, source: '' }])).toEqual([]);
  expect(collectionViolations([store])).toEqual([
    `${STORE}: says that ${useCase} sees to it, which is not there`,
  ]);
});

test('a collection that a service opens without declaring it is refused, in tests it is not', () => {
  const source = "connection.collection<Thing>('things'); store\n  .collection('others');";
  const test = STORE.replace('.ts', '.int.test.ts');
  const harness = 'services/things/src/testing/harness.ts';
  const files = [STORE, test, harness, 'packages/mongo/src/collection.ts'];
  const complaint = `${STORE}: opens a collection by its name; declare it with collection() of @laurel/mongo`;
  expect(collectionViolations(files.map((file) => ({ file, source })))).toEqual([
    complaint,
    complaint,
  ]);
});

test('a list without what every service has is refused', () => {
  const source = 'export const collections = [things];';
  expect(collectionViolations([{ file: LIST, source }])).toEqual([
    `${LIST}: leaves out ofEveryService: who is erased would stay in what was told of them`,
  ]);
});
