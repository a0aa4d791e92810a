import { newId } from '@laurel/lifecycle';
import { propertySettings, type TestStore, testStore } from '@laurel/testing';
import fc from 'fast-check';
import { collection } from './collection';
import { readDocument } from './plain-documents';

interface Kept {
  _id: string;
  free: object;
}

const kept = collection<Kept>('kept', {
  tenant: 'none: one for all',
  person: 'nobody',
  indexes: [],
});
let store: TestStore;
beforeAll(async () => {
  store = await testStore([kept]);
});
afterAll(() => store.drop());

const key = fc.oneof(
  fc.constantFrom('$ref', '$id', '$db', '$ref.', 'a.b', '_id', 'collection', 'oid', 'fields'),
  fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
);
const { object } = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 1, 'a', 'a.b', '$ref'),
    fc.string(),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
}));

test('free JSON is read as it was written, whatever its keys are called', async () => {
  const rows = kept.open(store.connection).ofEverybody;
  const shown = (row: Kept | null) => [row?.free, JSON.stringify(row?.free)];
  await fc.assert(
    fc.asyncProperty(object, async (free) => {
      const wanted = [free, JSON.stringify(free)];
      const [_id, other] = [newId(), newId()];
      await rows.insertOne({ _id, free });
      expect(shown(await rows.findOne({ _id }))).toEqual(wanted);
      await rows.insertOne({ _id: other, free: {} });
      const changed = { $set: { free } };
      const whole = { returnDocument: 'after' } as const;
      expect(shown(await rows.findOneAndUpdate({ _id: other }, changed, whole))).toEqual(wanted);
      await rows.replaceOne({ _id }, { free: { again: [free] } });
      const [row] = await rows.aggregate<Kept>([{ $match: { _id } }]).toArray();
      expect(row?.free).toEqual({ again: [free] });
    }),
    {
      ...propertySettings(100),
      examples: [
        [{ $ref: 'orders', $id: '42', city: 'Berlin' }],
        [{ city: 'Berlin', $id: 7, $ref: 'a.b', $db: 'c' }],
        [{ list: [{ $ref: 'a', $id: 1, within: { $ref: 'b', $id: [{ $ref: 'c', $id: 2 }] } }] }],
      ],
    },
  );
});

test('bytes stay bytes beside members that are called like those of a reference', async () => {
  const rows = store.connection.collection<{ _id: string; bytes: unknown; free: object }>('bytes');
  const [_id, free] = [newId(), { $ref: 'a', $id: 1 }];
  await rows.insertOne({ _id, bytes: Buffer.from('$ref\0'), free });
  const row = await rows.findOne({ _id }, { promoteBuffers: true });
  expect(row).toEqual({ _id, bytes: Buffer.from('$ref\0'), free });
  const raw = (await rows.findOne({ _id }, { raw: true })) as unknown as Buffer;
  expect(readDocument(raw, { promoteBuffers: true })).toEqual(row);
});
