import fc from 'fast-check';
import { LineSplitter } from './line-splitter';

test('lines come back as they were, wherever the file is cut, and reading can go on behind each', () => {
  const lines = fc.array(
    fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', '')),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 9 }), (said, size) => {
      const bytes = Buffer.from(said.join('\n'));
      const splitter = new LineSplitter(5);
      const read = [];
      for (let at = 0; at < bytes.length; at += size) {
        read.push(...splitter.push(bytes.subarray(at, at + size)));
      }
      read.push(...splitter.end());
      const expected = said.at(-1) === '' ? said.slice(0, -1) : said;
      expect(read.map(({ text }) => text)).toEqual(expected);
      for (const [at, { endsAt }] of read.entries()) {
        const rest = bytes.subarray(endsAt - 5).toString();
        expect(rest).toBe(said.slice(at + 1).join('\n'));
      }
    }),
  );
});
