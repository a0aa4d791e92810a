import { emailKey } from './contact';

test('the address of an account is one, however its letters and accents are written', () => {
  const key = emailKey('café@mail.example');
  for (const same of [' CAFÉ@Mail.example', 'cafe\u0301@mail.example'])
    expect(emailKey(same)).toBe(key);
});
