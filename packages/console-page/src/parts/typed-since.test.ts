import { typedSince } from './typed-since';

test('of a draft that was sent what was typed since is left, and nothing else', () => {
  const fields = ['a'];
  const sent = { name: 'Bun', fields, note: null };
  expect(typedSince({ name: 'Bun', fields }, sent)).toEqual({});
  expect(typedSince({ name: 'Bun', note: 'warm', fields: ['a', 'b'] }, sent)).toEqual({
    note: 'warm',
    fields: ['a', 'b'],
  });
});
