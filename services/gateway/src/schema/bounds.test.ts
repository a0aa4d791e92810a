import fc from 'fast-check';
import { complaintAboutBytes } from './bounds';

/** Openings and commas, as JSON.stringify writes them. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce((sum, member) => sum + membersOf(member), Math.max(inner.length, 1));
}

const texts = fc.oneof(fc.string(), fc.stringMatching(/^[\\",{}[\]]*$/));
const { value: documents } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(texts, tie('value'), { maxKeys: 4 }),
  ),
}));

test('members are counted outside of texts only, whatever quotes, backslashes and brackets those hold', () => {
  fc.assert(
    fc.property(documents, (document) => {
      const json = Buffer.from(JSON.stringify(document));
      const members = membersOf(document);
      expect(complaintAboutBytes(json, members)).toBeNull();
      if (members > 0)
        expect(complaintAboutBytes(json, members - 1)).toBe(`has more than ${members - 1} members`);
    }),
    { numRuns: 2_000 },
  );
});

test.each(['"', '{"a":"', '{"a":"\\"', '"\\', '{"a\\\\":"\\\\\\"'])(
  'a text without an end is left to the parser: %s',
  (json) => {
    expect(complaintAboutBytes(Buffer.from(json), 10)).toBeNull();
  },
);
