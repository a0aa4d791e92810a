import { type Json, type JsonObject, Refusal } from '@laurel/errors';
import { changedProject, newProject } from './project';

const author = { userId: 'u-1', now: new Date(0) };
const made = (extra: JsonObject) =>
  newProject({ id: 'p-1', workspaceId: 'w-1' }, { key: null, name: 'Coffee', extra }, author);
const changed = (before: JsonObject, extra: JsonObject, name?: string) =>
  changedProject({ ...made({}), extra: before }, { key: null, name, extra }, 'u-2');
const text = (length: number): Json => 'x'.repeat(length);
const refusedOn = (field: string, act: () => unknown) => {
  const refused = (() => {
    try {
      return act();
    } catch (error) {
      return error;
    }
  })();
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused).toMatchObject({ code: 'INVALID_PAYLOAD', problems: [{ field }] });
};

test('what is kept with a project has a bound, however it came there', () => {
  const room = 20_000 - '{"note":""}'.length;
  expect(made({ note: text(room) }).extra.note).toHaveLength(room);
  refusedOn('note', () => made({ city: 'Ulm', note: text(room + 1) }));
  // One change after the other, each of them small.
  let kept: JsonObject = {};
  for (let count = 0; count < 19; count += 1)
    kept = changed(kept, { [`a${count}`]: text(1_000) }).extra;
  refusedOn('a19', () => changed(kept, { a19: text(1_000) }));
});

test('what the server sets itself takes no room', () => {
  expect(made({ user_created: text(30_000) }).extra).toEqual({});
});

test('a project from before there was a bound can be changed, and become smaller, but no larger', () => {
  const before = { note: text(30_000), city: 'Ulm' };
  expect(changed(before, {}, 'Tea')).toMatchObject({ name: 'Tea', extra: before });
  expect(changed(before, { city: 'Bonn', note: text(29_000) }).extra.city).toBe('Bonn');
  expect(changed(before, { note: null }).extra).toEqual({ note: null, city: 'Ulm' });
  refusedOn('city', () => changed(before, { city: 'Mannheim' }));
});

test('a member of a long name is refused by how its name begins', () => {
  refusedOn('n'.repeat(80), () => made({ ['n'.repeat(30_000)]: 1 }));
});
