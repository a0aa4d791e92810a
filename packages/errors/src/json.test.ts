import fc from 'fast-check';
import { memberOf, parseJson } from './json';

test('a number that loses digits as a double is kept as its text, any other is a number', () => {
  const text = `{"id":9007199254740993,"long":123456789012345678901234567890,"far":1e30,"minus":-9007199254740993,
    "safe":9007199254740991,"noise":0.30000000000000004,"amount":12.340000000000000001,"small":1e-7,"text":"9007199254740993"}`;
  expect(parseJson(text)).toEqual({
    id: '9007199254740993',
    long: '123456789012345678901234567890',
    far: '1e30',
    minus: '-9007199254740993',
    safe: 9_007_199_254_740_991,
    noise: 0.30000000000000004,
    amount: 12.34,
    small: 1e-7,
    text: '9007199254740993',
  });
});

test('all other JSON is read as the runtime reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify({ value, id: 1e15 });
      const kept = JSON.stringify(parseJson(text), (_key, member) => member);
      const safe = JSON.stringify(JSON.parse(text));
      if (!/\d{16}|e[+]?\d/.test(text)) expect(kept).toBe(safe);
    }),
  );
  expect(parseJson('{"a":1,"a":2222222222222222}')).toEqual({ a: 2_222_222_222_222_222 });
  for (const text of ['', '{', '[1,]', '{"a":1234567890123456789', 'nul'])
    expect(() => parseJson(text)).toThrow(SyntaxError);
});

test('a member is what was kept under its name, not what every object answers to', () => {
  expect(memberOf({ toString: 'kept' }, 'toString')).toBe('kept');
  for (const name of ['toString', 'constructor', '__proto__', 'missing'])
    expect(memberOf({}, name)).toBeUndefined();
});
