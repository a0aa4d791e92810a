import fc from 'fast-check';
import { catalogue } from '.';
import { isSurelyValid } from './surely-valid';

const STRANGE: unknown[] = [
  null,
  '',
  ' ',
  'text',
  'A0000000-0000-7000-8000-000000000001',
  '0198f3a0-0000-0000-0000-000000000001',
  '2026-02-30T10:15:30.000Z',
  '2026-05-04T24:00:00.000Z',
  '2026-05-04T23:59:60.000Z',
  '0000-05-04T10:15:30.000Z',
  '2026-05-04',
  'https://example.com/',
  -1,
  0,
  0.5,
  2 ** 53,
  -(2 ** 53),
  1e308,
  Number.POSITIVE_INFINITY,
  true,
  [],
  [null],
  {},
  { surprise: 1 },
];

/** Data with one thing in it changed: left out, put in or made something else, at any depth. */
function changed(data: unknown, picks: readonly number[], strange: unknown): unknown {
  if (typeof data !== 'object' || data === null || picks.length === 0) return strange;
  const [pick = 0, ...deeper] = picks;
  const keys = Object.keys(data);
  const at = pick % (keys.length + 2);
  if (at === keys.length) return { ...data, surprise: strange };
  const key = keys[at] ?? keys[0];
  if (key === undefined) return strange;
  const { [key]: member, ...others } = data as Record<string, unknown>;
  if (at > keys.length) return others;
  const next = changed(member, deeper, strange);
  return Array.isArray(data)
    ? data.map((one, index) => (String(index) === key ? next : one))
    : { ...others, [key]: next };
}

test.each(catalogue.map((definition) => [definition.type, definition] as const))(
  'the compiled check of %s accepts nothing that joi refuses',
  (_, definition) => {
    const examples = fc.record({
      picks: fc.array(fc.nat(40), { maxLength: 5 }),
      strange: fc.oneof(
        fc.constantFrom(...STRANGE),
        fc.string(),
        fc.double({ noNaN: true }),
        fc.uuid(),
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      ),
    });
    fc.assert(
      fc.property(examples, ({ picks, strange }) => {
        const data = changed(definition.example, picks, strange);
        if (!isSurelyValid(definition, data)) return;
        expect(definition.schema.validate(data, { convert: false }).error).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  },
);

test('the compiled check takes the examples of the events that every earn and new client make', () => {
  for (const type of ['loyalty.points_earned', 'clients.created', 'clients.updated']) {
    const definition = catalogue.find((one) => one.type === type)!;
    expect(isSurelyValid(definition, definition.example)).toBe(true);
  }
});
