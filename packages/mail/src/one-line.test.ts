import { oneLine } from './one-line';

describe('a name in a mail', () => {
  test.each([
    ['Bäckerei Grün & Söhne', 'Bäckerei Grün & Söhne'],
    ['Evil\r\nBcc: x\r\n\r\nbody', 'Evil Bcc: x body'],
    ['one\u2028two\u2029three\u0085four', 'one two three four'],
    ['Urgent! http://phish.example/login now', 'Urgent! … now'],
    ['see WWW.phish.example', 'see …'],
    ['app://open/it', 'app…'],
    ['  Ann ', 'Ann'],
    ['Ann \u202eeel\u2066', 'Ann eel'],
  ])('like %j stands in one line and leads nowhere', (name, shown) => {
    expect(oneLine(name)).toBe(shown);
  });

  test('is cut where it would fill the mail', () => {
    expect([...oneLine('ä'.repeat(255))]).toHaveLength(100);
  });
});
