import { codeOf } from './code-of';

test.each([
  ['Beans', 'beans'],
  ['Kaffeebohnen & Krümel', 'kaffeebohnen_krumel'],
  ['Złotówki', 'zlotowki'],
  ['Straßenpunkte', 'strassenpunkte'],
  ['★', 'points'],
  ['2. Telefon', 'points_2_telefon'],
])('what is called %s gets the code %s', (name, code) => {
  expect(codeOf(name, { otherwise: 'points' })).toBe(code);
});

test('a code is never longer than the API takes', () => {
  const long = 'x'.repeat(80);
  const first = codeOf(long, { otherwise: 'points' });
  expect(first).toHaveLength(50);
  expect(codeOf(long, { otherwise: 'points', taken: [first] })).toBe(`${'x'.repeat(48)}_2`);
});

test('of names in letters of another script each gets a code of its own', () => {
  const taken: string[] = ['name'];
  for (const name of ['Город', 'Улица', '街'])
    taken.push(codeOf(name, { otherwise: 'field', taken }));
  expect(taken).toEqual(['name', 'field', 'field_2', 'field_3']);
});
