import { emailKey } from './contact';

test('an address is one, however its letters and accents are written', () => {
  const key = emailKey('café@mail.example');
  for (const same of [' CAFÉ@Mail.example', 'cafe\u0301@mail.example', 'CAFE\u0301@mail.example'])
    expect(emailKey(same)).toBe(key);
  expect(emailKey('cafe@mail.example')).not.toBe(key);
});

test.each([null, undefined, '', '  '])('%p is no address', (nothing) => {
  expect(emailKey(nothing)).toBeNull();
});
