import { copyNameOf } from './copy-name';

test('a copy is called as nothing else is, and a copy of a copy grows no tail', () => {
  expect(copyNameOf('Coffee', ['Coffee'])).toBe('Coffee (copy)');
  expect(copyNameOf('Coffee', ['Coffee', 'Coffee (copy)'])).toBe('Coffee (copy 2)');
  expect(copyNameOf('Coffee (copy 2)', ['Coffee (copy)', 'Coffee (copy 2)'])).toBe(
    'Coffee (copy 3)',
  );
  expect(copyNameOf('x'.repeat(255), [])).toHaveLength(255);
});

test('a copy of a long name keeps no half of a character', () => {
  const name = `${'x'.repeat(247)}🎂${'x'.repeat(6)}`;
  expect(copyNameOf(name, [])).toBe(`${'x'.repeat(247)} (copy)`);
});
