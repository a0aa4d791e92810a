import { say, table } from './output';
import type { Terminal } from './terminal';

const CURSOR_UP = '\u001b[1A';
const said = (lines: string[]) => {
  let text = '';
  const out = (more: string) => {
    text += more;
  };
  say({ out } as Terminal, {}, { data: null, lines });
  return text;
};

test('what strangers have written moves no cursor, rings no bell and turns no line round', () => {
  expect(said([`Anna${CURSOR_UP}\u0007`, 'a\u202eb', 'tab\tand ž stay'])).toBe(
    'Anna\\u001b[1A\\u0007\na\\u202eb\ntab\tand ž stay\n',
  );
});

test('a name with a line break makes no second row of a table', () => {
  expect(table(['name'], [['Anna\nadmin']])).toEqual(['name', 'Anna\\nadmin']);
});
