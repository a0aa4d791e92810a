import { anonymize, changeClient, displayName, newClient } from './client';
import { mergeClients } from './merge';

const now = new Date('2026-01-15T10:00:00.000Z');
const later = new Date('2026-01-16T10:00:00.000Z');
const author = { source: 'api', now };

const person = (fields: Parameters<typeof newClient>[1] = {}, id = 'c1') =>
  newClient({ id, workspaceId: 'w1' }, fields, author);

describe('a new client', () => {
  test('has consent provenance only where consent was stated, even if refused', () => {
    expect(person({ marketing_consent_text: 'News' })).toMatchObject({
      marketing_consent_at: null,
      marketing_consent_text: null,
    });
    expect(person({ marketing_consent: false })).toMatchObject({
      marketing_consent_at: now,
      marketing_consent_source: 'api',
    });
  });

  test.each([
    ['api', 'api'],
    ['portal', 'portal'],
    ['enrollment', 'enrollment'],
    ['mobile', 'api'],
    ['automation', 'api'],
    ['campaign', 'api'],
  ])('and later, consent by %s is published as %s', (source, told) => {
    const stated = { marketing_consent: true };
    const made = newClient({ id: 'c1', workspaceId: 'w1' }, stated, { source, now });
    const changed = changeClient(person(), stated, { source, now }).client;
    for (const { marketing_consent_source } of [made, changed])
      expect(marketing_consent_source).toBe(told);
  });

  test('holds nothing personal when it is created anonymized', () => {
    const client = person({ status: 'anonymized', first_name: 'Ada', custom_fields: { a: 1 } });
    expect(client).toMatchObject({ first_name: null, custom_fields: {} });
  });
});

describe('a change', () => {
  test('tells what it replaced, and leaves the given client as it was', () => {
    const before = person({ first_name: 'Ada', custom_fields: { city: 'Rome' } });
    const { client, changes } = changeClient(
      before,
      { first_name: null, custom_fields: { city: 'Rome', age: 3 } },
      author,
    );
    expect(changes).toEqual([
      { field: 'first_name', custom: false, before: 'Ada', after: null },
      { field: 'age', custom: true, before: null, after: 3 },
    ]);
    expect(client.custom_fields).toEqual({ city: 'Rome', age: 3 });
    expect(before.custom_fields).toEqual({ city: 'Rome' });
  });

  test('of the same JSON in another order is none', () => {
    const before = person({ custom_fields: { a: { x: 1, y: [{ p: 1, q: 2 }] } } });
    const same = { custom_fields: { a: { y: [{ q: 2, p: 1 }], x: 1 } } };
    expect(changeClient(before, same, author).changes).toEqual([]);
  });

  test.each(['toString', 'hasOwnProperty', 'valueOf'])(
    'takes a custom field of the name %s, to which every object answers',
    (name) => {
      const fields = { custom_fields: { [name]: 'x' } };
      const { client, changes } = changeClient(person(), fields, author);
      expect(client.custom_fields).toEqual({ [name]: 'x' });
      expect(changes).toEqual([{ field: name, custom: true, before: null, after: 'x' }]);
    },
  );

  test('to null of a field that was never there is written down once', () => {
    const { client, changes } = changeClient(person(), { custom_fields: { a: null } }, author);
    expect(client.custom_fields).toEqual({ a: null });
    expect(changes).toHaveLength(1);
    expect(changeClient(client, { custom_fields: { a: null } }, author).changes).toEqual([]);
  });
});

test('however many changes they come by, custom fields of a client stay small enough for a page of clients', () => {
  const author = { source: 'api' as const, now };
  let client = person();
  const add = (name: string) =>
    changeClient(client, { custom_fields: { [name]: 'x'.repeat(15_000) } }, author);
  client = add('one').client;
  client = add('two').client;
  expect(() => add('three')).toThrow('must together be at most 40000 characters');
  expect(Object.keys(client.custom_fields)).toEqual(expect.arrayContaining(['one', 'two']));
});

test('a client whom a merge left more custom fields than one may have can be changed, and lose some, but get no more', () => {
  const author = { source: 'portal' as const, now };
  const full = person({ marketing_consent: true });
  full.custom_fields = { one: 'x'.repeat(30_000), two: 'x'.repeat(30_000) };
  const withdrawn = changeClient(full, { marketing_consent: false }, author).client;
  expect(withdrawn.marketing_consent).toBe(false);
  const { client } = changeClient(full, { custom_fields: { two: 'x'.repeat(20_000) } }, author);
  expect(() => changeClient(client, { custom_fields: { three: 3 } }, author)).toThrow('at most');
});

describe('anonymizing', () => {
  test('clears each thing that is there and tells of that only', () => {
    const before = person({
      first_name: 'Ada',
      email: 'a@example.com',
      custom_fields: { a: null },
    });
    const { client, changes } = anonymize(before, later);
    expect(changes.map(({ field }) => field)).toEqual(['first_name', 'email', 'status']);
    expect(client).toMatchObject({
      email: null,
      custom_fields: {},
      status: 'anonymized',
      marketing_consent_at: later,
      marketing_consent_source: 'anonymize',
    });
    expect(displayName(client)).toBeNull();
  });
});

describe('merging', () => {
  test('never lets a source overrule what the target says', () => {
    const target = person({ first_name: 'Augusta', marketing_consent: false });
    const source = person(
      { first_name: 'Ada', phone: '1', marketing_consent: true, custom_fields: { a: 1 } },
      'c2',
    );
    const { client, changes } = mergeClients(target, source);
    expect(client).toMatchObject({
      id: 'c1',
      first_name: 'Augusta',
      phone: '1',
      marketing_consent: false,
      custom_fields: { a: 1 },
    });
    expect(changes.map(({ field }) => field)).toEqual(['phone', 'a']);
  });

  test('fills in what was left empty, and nothing by what is empty itself', () => {
    const target = person({ first_name: '', phone: '' });
    const source = person({ first_name: 'Ada', phone: '1', last_name: '' }, 'c2');
    const { client, changes } = mergeClients(target, source);
    expect(client).toMatchObject({ first_name: 'Ada', phone: '1', last_name: null });
    expect(changes.map(({ field }) => field)).toEqual(['first_name', 'phone']);
  });

  test('tells of each custom field that it brings, whatever its name', () => {
    const source = person({ custom_fields: { toString: 'x' } }, 'c2');
    const { client, changes } = mergeClients(person(), source);
    expect(client.custom_fields).toEqual({ toString: 'x' });
    expect(changes.map(({ field }) => field)).toEqual(['toString']);
  });

  test('keeps a target value that is null in custom fields', () => {
    const target = person({ custom_fields: { a: null } });
    const source = person({ custom_fields: { a: 1 } }, 'c2');
    expect(mergeClients(target, source).client.custom_fields).toEqual({ a: null });
  });
});
