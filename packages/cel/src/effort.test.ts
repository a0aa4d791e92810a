import { checkExpression, compileExpression, createBoundedEnvironment, newEffort } from './index';

const environment = createBoundedEnvironment({ mixedLiterals: true }).registerVariable(
  'body',
  'dyn',
);
const MEMBERS = 10_000;
const numbers = () => Array.from({ length: MEMBERS }, (_, index) => index);
const lines = Array.from({ length: MEMBERS }, () => ({ sku: 'shirt', price: 2.5, qty: 2 }));
const text = 'a,'.repeat(MEMBERS);
const body = {
  text,
  list: numbers(),
  same: numbers(),
  lines,
  by: Object.fromEntries(numbers().entries()),
};
const value = (expression: string) => compileExpression(environment, expression).run({ body });

test.each([
  "body.text.split('').map(letter, body.text.split(','))",
  "body.text.split(',').join(body.text)",
  'body.list.map(one, body.list)',
  'body.list.filter(one, body.list == body.same)',
  'body.list.filter(one, -1 in body.list)',
  "body.list.exists(one, body.text.contains('b'))",
  "body.list.filter(one, false || body.text.contains('b') || body.text.endsWith('b'))",
  'body.list.map(one, size(body.text))',
  'body.list.map(one, size(body.by))',
  'body.list.map(one, body.text + body.text)',
  'body.list.map(one, body.list + body.list)',
  `body.list.map(one, [${numbers().slice(0, 100).join(', ')}])`,
  'body.list.map(one, timestamp(1).getHours("Asia/Tokyo"))',
])('%s takes too long and is ended', (expression) => {
  expect(checkExpression(environment, expression, 'formula')).toMatchObject({ valid: true });
  expect(() => value(expression)).toThrow('the expression takes too long with these values');
});

test.each<[string, unknown]>([
  ['sum(body.lines.map(line, line.price * line.qty))', 50_000],
  [
    'size(body.lines.filter(line, line.sku.startsWith("sh") && line.qty > 1 && has(line.price)))',
    10_000n,
  ],
  ['body.lines.all(line, line.sku in ["shirt", "shoe"] || line.price == 0)', true],
  ["size(body.text.split(',').filter(part, part == 'a'))", 10_000n],
  ["size(body.text.split(',').join('; '))", 30_000n],
])('%s of ten thousand members is answered', (expression, expected) => {
  expect(value(expression)).toEqual(expected);
});

test('what an expression took leaves the next one all it may take', () => {
  const expression = "size(body.text.split(',')) + size(body.text.split(','))";
  for (let time = 0; time < 100; time += 1) expect(value(expression)).toBe(20_002);
});

test('expressions that share what they may take end together', () => {
  const { run } = compileExpression(environment, "size(body.text.split(','))");
  const effort = newEffort();
  const again = () => {
    for (let time = 0; time < 1_000; time += 1) run({ body }, effort);
  };
  expect(again).toThrow('the expression takes too long with these values');
  expect(run({ body })).toBe(10_001n);
});

test('a name that is bound is refused with its place: each may stand for twice the one before', () => {
  const expression = '1 + cel.bind(one, [1, 2], cel.bind(two, one + one, size(two + two)))';
  expect(checkExpression(environment, expression, 'formula')).toEqual({
    valid: false,
    error: { message: 'bind() is not available', position: expression.indexOf('cel') },
  });
});

test.each([
  ['body.text.matches("^(a+)+$")', 'matches() is not available'],
  ['true || body.text.matches("^(a+)+$")', 'matches() is not available'],
  ['body.list.all(one, body.list.exists(two, two == one))', 'exists() cannot stand within'],
  ['body.list.map(one, size(body.list.filter(two, two == one)))', 'filter() cannot stand within'],
])(
  '%s is neither saved nor run, also where it was kept before it was refused',
  (expression, why) => {
    expect(checkExpression(environment, expression, 'formula')).toMatchObject({
      valid: false,
      error: { message: expect.stringContaining(why), position: expect.any(Number) },
    });
    expect(() => compileExpression(environment, expression)).toThrow(why);
  },
);

test('a loop goes over what another one gives', () => {
  const expression = 'sum(body.lines.filter(line, line.qty > 1).map(line, line.price))';
  expect(checkExpression(environment, expression, 'formula')).toMatchObject({ valid: true });
  expect(value(expression)).toBe(25_000);
});
