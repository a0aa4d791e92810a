import { JSON_CHARACTERS_MAX } from '@laurel/contract';
import { isEmail } from '@laurel/values/email';
import fc from 'fast-check';
import { createField } from '../routes/data-model/schema';
import { createCustomEvent, createEvent } from '../routes/events/schema';
import { createWalletType } from '../routes/wallet-types/schema';
import {
  dateOrTimestamp,
  email,
  fromMoment,
  isUuid,
  jsonObject,
  memberName,
  oneLine,
  timestamp,
  untilMoment,
  uuid,
} from './types';

test.each([
  ['2026-10-25T02:30:00', '2026-10-25T02:30:00.000Z'],
  ['2026-10-25 02:30', '2026-10-25T02:30:00.000Z'],
  ['2026-10-25T02:30:00Z', '2026-10-25T02:30:00.000Z'],
  ['2026-10-25T02:30:00+02:00', '2026-10-25T00:30:00.000Z'],
])('a moment without a zone is UTC, wherever the gateway stands: %s', (text, moment) => {
  expect(new Date(timestamp().validate(text).value).toISOString()).toBe(moment);
  expect(fromMoment(dateOrTimestamp().validate(text).value)).toBe(moment);
});

test('a bare date is its whole day', () => {
  const { value } = dateOrTimestamp().validate('2026-10-25');
  expect(fromMoment(value)).toBe('2026-10-25T00:00:00.000Z');
  expect(untilMoment(value)).toBe('2026-10-25T23:59:59.999Z');
});

test('an event dated far in the future is refused with its field, one of tomorrow is not', () => {
  const at = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString();
  const id = '00000000-0000-7000-8000-000000000001';
  const sale = { event_category: 'transaction', event_type: 'purchase', pass_id: id, amount: 1 };
  for (const [schema, body] of [
    [createEvent, { ...sale, currency: 'EUR' }],
    [createCustomEvent, { client_id: id, event_type: 'x' }],
  ] as const) {
    expect(schema.validate({ ...body, event_timestamp: at(1) }).error).toBeUndefined();
    for (const ahead of [at(32), '2999-01-01T00:00:00Z']) {
      const { error } = schema.validate({ ...body, event_timestamp: ahead });
      expect(error?.details).toMatchObject([
        { path: ['event_timestamp'], message: expect.stringContaining('in the future') },
      ]);
    }
  }
});

test.each(['constructor', '__proto__', 'prototype'])(
  'nothing is called %s: it would be found in every object',
  (name) => {
    expect(memberName(/^[a-z_]+$/).validate(name).error).toBeDefined();
    for (const schema of [createField, createWalletType]) {
      const named = { code: name, name: 'x', field_name: name, field_type: 'text' };
      expect(schema.validate(named, { stripUnknown: true }).error?.details[0]?.path[0]).toMatch(
        /^(code|field_name)$/,
      );
    }
  },
);

test.each(['{ID}', '[ID]', '(ID)', 'ID ', 'IDx'])(
  'a UUID is nothing else around it: %s',
  (spelt) => {
    const id = '00000000-0000-7000-8000-000000000001';
    expect(uuid().validate(id).error).toBeUndefined();
    expect(uuid().validate(spelt.replace('ID', id)).error?.message).toContain('must be a UUID');
  },
);

test.each([
  '00000000-000070008000000000000001',
  '00000000-0000-70008000000000000001',
  '00000000-000070008000-000000000001',
  '00000000000070008000000000000001',
])('a UUID has all of its hyphens: %s', (spelt) => {
  expect(isUuid(spelt)).toBe(false);
  expect(uuid().validate(spelt).error?.message).toContain('must be a UUID');
});

test('a JSON object that is kept with a row is some lines, no document', () => {
  const note = (characters: number) => jsonObject().validate({ note: 'x'.repeat(characters) });
  expect(note(JSON_CHARACTERS_MAX - '{"note":""}'.length).error).toBeUndefined();
  expect(note(JSON_CHARACTERS_MAX).error?.message).toContain('at most 20000 characters of JSON');
});

const INVISIBLE = [
  ...'\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180e\u200b\u200c\u200d\u200e\u200f',
  ...'\u2060\u2061\u2064\u206a\u206f\u2800\u3164\ufe00\ufe0f\ufeff\uffa0',
  ' \u200b\u2800\u3164 ',
  ...'\u{1bca0}\u{1bca3}\u{1d173}\u{1d17a}\u{e0000}\u{e0001}\u{e0041}\u{e007f}\u{e0100}\u{e01ef}\u{e0fff}',
  '\u{e0041}\u200b\u{e0042}',
];

test('a line that has to be said is more than spaces, one that need not be may be empty, and further patterns keep their words', () => {
  const complaintAbout = (value: string, schema = oneLine(20, 1)) =>
    schema.label('name').validate(value).error?.message;
  for (const blank of [' ', '\u00a0 \u3000', ...INVISIBLE])
    expect(complaintAbout(blank)).toBe('"name" must not be blank');
  // Joined, a family is one picture; a flag or a letter beside what shows nothing can be seen.
  for (const said of [
    ' A ',
    '\u200bA',
    '\u{1f468}\u200d\u{1f469}',
    '\u{1f3f4}\u{e0067}\u{e007f}',
    '\u2764\ufe0f',
    '.',
  ])
    expect(complaintAbout(said)).toBeUndefined();
  expect(complaintAbout(' ', oneLine(20))).toBeUndefined();
  const code = oneLine(20, 1)
    .pattern(/^[a-z]+$/)
    .messages({ 'string.pattern.base': 'is a code' });
  expect(complaintAbout('A', code)).toBe('is a code');
});

test('a moment is one of our era, wherever it is read', () => {
  for (const text of ['0001-01-02T00:00:00Z', '0001-01-03T00:00:00+14:00', '1899-12-31T00:00:00'])
    expect([text, timestamp().validate(text).error]).toEqual([text, undefined]);
  for (const text of ['0000-01-01T00:00:00+01:00', '0000-12-31T00:00:00Z', '0001-01-01T00:00:00Z'])
    expect(timestamp().validate(text).error?.message).toContain('must not be before 0001-01-02');
});

test('what comes by other ways is taken for an e-mail address exactly where the API takes it for one', () => {
  const part = fc.string({
    unit: fc.constantFrom(...'ab1.-_+@%é名', '\u00e9', '\u0301', ' ', '/', '(', 'x'.repeat(30)),
    maxLength: 6,
  });
  const both = fc.tuple(part, part).map((parts) => parts.join('@'));
  const text = fc.oneof(part, both, fc.emailAddress());
  fc.assert(
    fc.property(text, (each) => {
      fc.pre(each !== '');
      expect([each, isEmail(each)]).toEqual([each, email().validate(each).error === undefined]);
    }),
    { numRuns: 3_000 },
  );
});
