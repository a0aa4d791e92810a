import fc from 'fast-check';
import { csvCells, csvLine, type FileRecord, RecordSplitter, undefuse } from './csv';

function split(text: string, sizes: number[], startsAt = 0): FileRecord[] {
  const splitter = new RecordSplitter('csv', startsAt);
  const bytes = Buffer.from(text);
  const records: FileRecord[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    for (const record of splitter.push(bytes.subarray(at, at + size))) {
      records.push({ ...record, bytes: Buffer.from(record.bytes) });
    }
    at += size;
  }
  return [...records, ...splitter.end()];
}

const cell = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .filter((text) => !/^\s|\s$|^'/.test(text));
const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), {
  minLength: 1,
  maxLength: 6,
});
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

describe('CSV', () => {
  test('comes back as it was written, wherever the file is cut', () => {
    fc.assert(
      fc.property(rows, sizes, (table, cuts) => {
        const text = table.map(csvLine).join('');
        const read = split(text, cuts).map(({ bytes }) => csvCells(bytes).map(undefuse));
        expect(read).toEqual(table);
      }),
    );
  });

  test('can be taken up again after any record', () => {
    fc.assert(
      fc.property(rows, sizes, (table, cuts) => {
        const text = table.map(csvLine).join('');
        const whole = split(text, cuts);
        for (const [position, { endsAt }] of whole.entries()) {
          const rest = Buffer.from(text).subarray(endsAt).toString();
          const tail = split(rest, cuts, endsAt);
          expect(tail.map((record) => record.endsAt)).toEqual(
            whole.slice(position + 1).map((record) => record.endsAt),
          );
        }
      }),
    );
  });

  test('never begins a cell as a formula', () => {
    for (const text of ['=1', '+1', '-1', '@x', '\tx', '\rx']) {
      expect(csvLine([text])).toMatch(/^"?'/);
    }
    expect(csvLine([-5, null, true, ['a']])).toBe('-5,,true,"[""a""]"\r\n');
  });
});
