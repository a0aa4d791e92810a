import type { Json } from '@laurel/errors';
import { personText } from './person-text';

async function* listed(rows: Json[]) {
  yield* rows;
}

async function piecesOf(chunks: AsyncIterable<{ text: string }>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const { text } of chunks) pieces.push(text);
  return pieces;
}

test.each([
  ['nothing', {}, []],
  ['a list alone', {}, [1]],
  ['other members beside an empty list', { a: { b: null } }, []],
  ['both', { a: [1], 'b"': 'c' }, [{ d: 'ü"' }, null]],
])('is one JSON object of %s', async (_, data, rows) => {
  const pieces = await piecesOf(personText(data as never, 'rows', listed(rows as Json[])));
  expect(JSON.parse(pieces.join(''))).toEqual({ ...data, rows });
});

test('comes in pieces of which none is longer than its text and one row', async () => {
  const rows = Array.from({ length: 100 }, (_, number) => ({ number, text: 'x'.repeat(9_000) }));
  const pieces = await piecesOf(personText({}, 'rows', listed(rows)));
  expect(JSON.parse(pieces.join(''))).toEqual({ rows });
  expect(pieces.length).toBeGreaterThan(10);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(64 * 1024 + 9_100);
});

test('reads no further than it is asked to', async () => {
  let read = 0;
  async function* endless() {
    for (;;) {
      read += 1;
      yield 'x'.repeat(1_000);
    }
  }
  for await (const _ of personText({}, 'rows', endless())) break;
  expect(read).toBeLessThan(100);
});
