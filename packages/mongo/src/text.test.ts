import { foldings, foldText, namedLike, searchPattern, searchTextOf } from './text';

test.each([
  ['Żółć', 'zolc'],
  ['Łukasz', 'lukasz'],
  ['STRASSE', 'strasse'],
  ['Straße', 'strasse'],
  ['Søren Kjærgård', 'soren kjaergard'],
  ['Đorđe', 'dorde'],
  ['İstanbul ılık', 'istanbul ilik'],
  ['Þór Œuvre', 'thor oeuvre'],
  ['Σωκράτης', 'σωκρατησ'],
])('%s is compared as %s, as it is typed where a keyboard lacks its letters', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test('a text is found by its letters and by the plain ones for them', () => {
  for (const typed of ['Żółć', 'zolc', 'ŻÓŁĆ', 'żół', 'ZOL'])
    expect([typed, new RegExp(searchPattern(typed)).test(searchTextOf('Anna Żółć'))]).toEqual([
      typed,
      true,
    ]);
  expect(new RegExp(searchPattern('zo.c')).test(searchTextOf('Żółć'))).toBe(false);
});

test('a Greek word is found by its beginning, which ends with another sigma in lower case', () => {
  for (const typed of ['ΚΩΣ', 'Κως', 'κωσ', 'Κώστας', 'ΚΩΣΤΑΣ'])
    for (const kept of [searchTextOf('Κώστας'), 'κωστας'])
      expect([typed, kept, new RegExp(searchPattern(typed)).test(kept)]).toEqual([
        typed,
        kept,
        true,
      ]);
});

test('a row that was kept before strokes were folded is found by its letters still', () => {
  expect(new RegExp(searchPattern('Żółć')).test('anna zołc')).toBe(true);
  expect(foldings('Żółć')).toEqual(['zolc', 'zołc']);
  expect(foldings('Zoë')).toEqual(['zoe']);
});

test('names are found whatever their accents, those that begin with the text first', () => {
  const rows = [{ name: 'Kawa Łąka' }, { name: 'Łąka' }, { name: 'Las' }];
  expect(namedLike(rows, 'laka', 5)).toEqual([{ name: 'Łąka' }, { name: 'Kawa Łąka' }]);
});
