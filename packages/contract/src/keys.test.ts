import { KEY_PATTERN, keyAfter } from './keys';

test('a key is given once: it may be said again, but neither changed nor taken away', () => {
  expect(keyAfter(undefined, undefined)).toBeNull();
  expect(keyAfter(null, 'coffee')).toBe('coffee');
  expect(keyAfter('coffee', undefined)).toBe('coffee');
  expect(keyAfter('coffee', 'coffee')).toBe('coffee');
  expect(keyAfter('coffee', 'tea')).toBeUndefined();
  expect(keyAfter('coffee', null)).toBeUndefined();
});

test('a key can stand in a file, a path and a query as it is', () => {
  for (const key of ['a', '9-lives', 'a'.repeat(63)]) expect(key).toMatch(KEY_PATTERN);
  for (const key of ['', '-a', 'A', 'a_b', 'a b', 'a'.repeat(64)])
    expect(key).not.toMatch(KEY_PATTERN);
});
