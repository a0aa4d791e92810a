import { KEY_PATTERN } from './keys';

test('a key can stand in a file, a path and a query as it is', () => {
  for (const key of ['a', '9-lives', 'a'.repeat(63)]) expect(key).toMatch(KEY_PATTERN);
  for (const key of ['', '-a', 'A', 'a_b', 'a b', 'a'.repeat(64)])
    expect(key).not.toMatch(KEY_PATTERN);
});
