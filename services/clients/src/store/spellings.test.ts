import { containing, searchText } from './search';
import { spellingsOf } from './spellings';

const kept = (phone: string) =>
  searchText({ first_name: 'Anna', last_name: null, email: 'a-1@example.com', phone });
const finds = (typed: string, phone: string) =>
  new RegExp(containing(typed).search_text.$regex).test(kept(phone));

test.each(['+48504420601', '+48 504 420 601', '0048 504-420-601'])(
  'a number that is kept as %s is found however it is typed at a counter',
  (phone) => {
    for (const typed of [
      '+48504420601',
      '504420601',
      '+48 504 420 601',
      ' 504-420-601 ',
      '0504420601',
      '0048504420601',
      '(504) 420.601',
      '420601',
    ])
      expect([typed, finds(typed, phone)]).toEqual([typed, true]);
    expect(finds('504 420 602', phone)).toBe(false);
  },
);

test('a name is found by its letters and by the plain ones for them', () => {
  const text = searchText({ first_name: 'Łukasz', last_name: 'Groß', email: null, phone: null });
  for (const typed of ['Łukasz', 'lukasz', 'GROSS', 'groß', 'lukasz gross', 'łukasz groß'])
    expect([typed, new RegExp(containing(typed).search_text.$regex).test(text)]).toEqual([
      typed,
      true,
    ]);
});

test('what is no phone number is looked for as it stands', () => {
  for (const text of ['anna', 'a-1', '00', '0-1', '2026', '', '+', 'flat 12-34-56'])
    expect(spellingsOf(text)).toEqual([text]);
  expect(spellingsOf('12-34-56')).toEqual(['12-34-56', '123456']);
});
