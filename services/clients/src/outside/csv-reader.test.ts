import { csvLine } from '@laurel/contract';
import fc from 'fast-check';
import { undefuse } from '../domain/csv';
import type { Delimiter } from '../domain/file-format';
import { CsvReader, type CsvRecord, delimiterOf } from './csv-reader';

async function read(
  text: string,
  {
    sizes = [4_096],
    startsAt = 0,
    delimiter = ',',
  }: { sizes?: number[]; startsAt?: number; delimiter?: Delimiter } = {},
) {
  const reader = new CsvReader(delimiter, startsAt);
  const bytes = Buffer.from(text);
  const records: CsvRecord[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.length && reader.broken === null; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    records.push(...(await reader.push(Buffer.from(bytes.subarray(at, at + size)))));
    at += size;
  }
  if (reader.broken === null) records.push(...(await reader.end(startsAt + bytes.length)));
  return { records, broken: reader.broken };
}

const cellsOf = (records: readonly CsvRecord[]) =>
  records.map((record) => ('cells' in record ? record.cells.map(undefuse) : record.complaint));

const cell = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .filter((text) => !/(?:^|[;\t\r\n])'/.test(text));
const rows = fc
  .array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 })
  .filter((table) => table.every((row) => row.some((text) => text.trim() !== '')));
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

describe('CSV', () => {
  test('comes back as it was written, wherever the file is cut', async () => {
    await fc.assert(
      fc.asyncProperty(rows, sizes, async (table, cuts) => {
        const { records, broken } = await read(table.map(csvLine).join(''), { sizes: cuts });
        expect(broken).toBeNull();
        expect(cellsOf(records)).toEqual(table);
      }),
    );
  });

  test.each([
    ['=1', "'=1"],
    ['\t=1', "'\t'=1"],
    ['＝1', "'＝1"],
    ['Ann;=1+1', "Ann;'=1+1"],
    ['Ann;@SUM(1);b', "Ann;'@SUM(1);b"],
    ['Ann\n=1', '"Ann\n\'=1"'],
    ['a-1; b', 'a-1; b'],
  ])(
    'of %j no spreadsheet makes a formula, whatever it takes for the end of a cell',
    (text, written) => {
      expect(csvLine([text, 1])).toBe(`${written},1\r\n`);
      expect(undefuse(written.replaceAll('"', ''))).toBe(text);
    },
  );

  test('can be taken up again after any record', async () => {
    await fc.assert(
      fc.asyncProperty(rows, sizes, async (table, cuts) => {
        const text = table.map(csvLine).join('');
        const { records: whole } = await read(text, { sizes: cuts });
        for (const [position, { endsAt }] of whole.entries()) {
          const rest = Buffer.from(text).subarray(endsAt!).toString();
          const { records } = await read(rest, { sizes: cuts, startsAt: endsAt! });
          expect(records.map((record) => record.endsAt)).toEqual(
            whole.slice(position + 1).map((record) => record.endsAt),
          );
        }
      }),
    );
  });

  test('tells of a quote that is not closed in the row where it begins, and reads all before it', async () => {
    for (const rest of ['"open\nx@i.com,y\n', '"open\nx@i.com,"y"\n', '"op"en,y\n']) {
      for (const size of [1, 3, 4_096]) {
        const { records, broken } = await read(`a,b\nc,d\n${rest}`, { sizes: [size] });
        expect(cellsOf(records)).toEqual([
          ['a', 'b'],
          ['c', 'd'],
        ]);
        expect(broken).toContain('quote');
      }
    }
  });

  test('complains once about a row with quotes inside its cells, and reads the next', async () => {
    const text = 'a,b\nc"d,"e\nf",g"h"\nc"d,x\ni"j"k,l\n"m" , n \no"';
    for (const size of [1, 2, 7, 4_096]) {
      const { records, broken } = await read(text, { sizes: [size] });
      expect(broken).toBeNull();
      const inside = expect.stringContaining('inside a cell');
      expect(cellsOf(records)).toEqual([['a', 'b'], inside, inside, inside, ['m', 'n'], inside]);
      expect(records.map(({ endsAt }) => endsAt !== null)).toEqual([
        true,
        false,
        false,
        false,
        true,
        true,
      ]);
    }
  });

  test('reads lines of all systems, and leaves blank rows out', async () => {
    const { records } = await read('a,b\r\n\r\n , \nc,d\r,\re,f');
    expect(cellsOf(records)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
    ]);
  });

  test.each([
    ['email,first_name', ','],
    ['first_name;last_name;email', ';'],
    ['first_name\tlast_name\temail', '\t'],
    ['"first_name"|"last, name"|email', '|'],
    ['email', ','],
    ['x;y,z;w', ';'],
  ])('knows what separates its cells from the header %j', async (header, delimiter) => {
    const known = ['email', 'first_name', 'last_name'];
    const countKnown = (columns: readonly string[]) =>
      columns.filter((column) => known.includes(column)).length;
    const head = Buffer.from(`${header}\na,b,c,d;"e\n`);
    expect(await delimiterOf(head, countKnown)).toBe(delimiter);
  });

  test('never begins a cell as a formula', () => {
    for (const text of ['=1', '+1', '-1', '@x', '\tx', '\rx']) {
      expect(csvLine([text])).toMatch(/^"?'/);
    }
    expect(csvLine([-5, null, true, ['a']])).toBe('-5,,true,"[""a""]"\r\n');
  });
});
