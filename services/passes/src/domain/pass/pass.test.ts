import { PASS_ID, PROJECT_ID, TEMPLATE_ID, WORKSPACE_ID } from '../../testing/samples';
import {
  endOf,
  expiryBy,
  expiryOf,
  isScrubbed,
  type NewPass,
  newPass,
  notifiedPass,
  type Pass,
  scrubbedPass,
  switchedPass,
} from './pass';
import { randomBarcode } from './random-barcode';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const LATER = new Date('2026-03-11T12:00:00.000Z');
const made = (more: Partial<NewPass> = {}): Pass =>
  newPass(
    {
      id: PASS_ID,
      workspace_id: WORKSPACE_ID,
      project_id: PROJECT_ID,
      pass_template_id: TEMPLATE_ID,
      client_id: 'c',
      pass_fields: { seat: '12A' },
      barcode_value: 'B-1',
      ...more,
    },
    { userId: 'u', now: NOW },
  );

test('a new pass is active on no phone, says nothing, and is good until somebody ends it', () => {
  const pass = made();
  expect(pass).toMatchObject({ status: 'active', client_id: 'c', barcode_value: 'B-1' });
  expect(pass).toMatchObject({ user_created: 'u', date_created: NOW });
  const { on_apple, on_google, retired, handed_out, notification, expires_at } = pass;
  expect([on_apple, on_google, retired, handed_out]).toEqual([false, false, false, false]);
  expect([notification, expires_at]).toEqual([null, null]);
  const { notification_count, notification_repeat, link_generation } = pass;
  expect([notification_count, notification_repeat, link_generation]).toEqual([0, 0, 0]);
  expect([pass.previous_template_id, pass.tier_template]).toEqual([null, null]);
});

test('a new pass bears the barcode that it was given, and keeps whom it was handed to', () => {
  expect(made({ barcode_given: 'B-1', barcode_spare: 'S', handed_out: true })).toMatchObject({
    barcode_given: 'B-1',
    barcode_spare: 'S',
    handed_out: true,
  });
});

test('the pass of somebody anonymized is ended for good, and nothing on it says whose it was', () => {
  const greeted = notifiedPass(made({ barcode_given: 'ann@mail.example' }), 'Hello Ann');
  const told = notifiedPass(greeted, 'See you, Ann');
  const pass = scrubbedPass(told, { barcode: 'random', now: LATER });
  expect(JSON.stringify(pass)).not.toMatch(/ann|12A/i);
  expect(pass).toMatchObject({ id: PASS_ID, status: 'voided', retired: true });
  expect(pass).toMatchObject({ barcode_value: 'random', barcode_spare: 'random' });
  expect(pass.date_updated).toEqual(LATER);
  expect(isScrubbed(pass)).toBe(true);
});

test('a pass that still says something of somebody is not scrubbed', () => {
  const clean = scrubbedPass(made(), { barcode: 'random', now: LATER });
  const traces: Partial<Pass>[] = [
    { retired: false },
    { pass_fields: { seat: '12A' } },
    { notification: 'Hello Ann' },
    { notification_queue: [{ text: 'Hello Ann', count: 1, repeat: 0 }] },
    { barcode_value: 'ann' },
  ];
  for (const trace of traces) expect(isScrubbed({ ...clean, ...trace })).toBe(false);
});

const to = (templateId: string, expiresAt: Date | null = null) => ({
  templateId,
  projectId: `project of ${templateId}`,
  expiresAt,
});

test('a pass that is put on another template for good forgets the one before', () => {
  expect(switchedPass(made(), to('next'))).toMatchObject({
    pass_template_id: 'next',
    project_id: 'project of next',
    previous_template_id: null,
    template_expires_at: null,
  });
});

test('after several temporary templates a pass goes back to where it was before the first', () => {
  const once = switchedPass(made(), to('summer', NOW));
  const twice = switchedPass(once, to('autumn', LATER));
  expect(once).toMatchObject({ previous_template_id: TEMPLATE_ID, template_expires_at: NOW });
  expect(twice).toMatchObject({ pass_template_id: 'autumn', template_expires_at: LATER });
  expect(twice.previous_template_id).toBe(TEMPLATE_ID);
});

test('going back on purpose, for a time or for good, ends a temporary template early', () => {
  const away = switchedPass(made(), to('summer', LATER));
  for (const back of [to(TEMPLATE_ID), to(TEMPLATE_ID, LATER)])
    expect(switchedPass(away, back)).toMatchObject({
      pass_template_id: TEMPLATE_ID,
      previous_template_id: null,
      template_expires_at: null,
    });
});

test('the same text again is another one, and counted, whatever came in between', () => {
  const once = notifiedPass(made(), 'Hello');
  expect(once).toMatchObject({ notification: 'Hello', notification_count: 1 });
  expect(once.notification_repeat).toBe(0);
  const twice = notifiedPass(once, 'Hello');
  expect(twice).toMatchObject({ notification_count: 2, notification_repeat: 1 });
  expect(notifiedPass(twice, 'Hello').notification_repeat).toBe(2);
  const other = notifiedPass(twice, 'Bye');
  expect(other).toMatchObject({ notification: 'Bye', notification_count: 3 });
  const shown = [once, twice, other, notifiedPass(other, 'Hello')];
  const marks = shown.map(({ notification_repeat }) => notification_repeat);
  expect(new Set(marks).size).toBe(shown.length);
});

test('a text that is taken away is no text that was pushed, and takes what waits with it', () => {
  const once = notifiedPass(made(), 'Hello');
  for (const nothing of [null, ''])
    expect(notifiedPass(notifiedPass(once, 'Bye'), nothing)).toMatchObject({
      notification: nothing,
      notification_count: 2,
      notification_queue: [],
      notification_shown: null,
    });
});

test('a pass expires so many days after it is made, or never', () => {
  expect(expiryOf({ expires_after_days: 1 }, NOW)).toEqual(LATER);
  expect(expiryOf({ expires_after_days: 0 }, NOW)).toEqual(NOW);
  expect(expiryOf({ expires_after_days: null }, NOW)).toBeNull();
  expect(expiryOf({}, NOW)).toBeNull();
});

test('nothing may be done with a pass that is voided, or from the moment on at which it expires', () => {
  expect(endOf({ status: 'active', expires_at: null }, NOW)).toBeNull();
  expect(endOf({ status: 'active', expires_at: LATER }, NOW)).toBeNull();
  expect(endOf({ status: 'active', expires_at: NOW }, NOW)).toBe('expired');
  expect(endOf({ status: 'voided', expires_at: NOW }, NOW)).toBe('voided');
  expect(endOf({ status: 'voided', expires_at: null }, NOW)).toBe('voided');
});

test('a barcode that cannot be guessed fits a one-dimensional one, and never comes twice', () => {
  const values = Array.from({ length: 50 }, randomBarcode);
  for (const value of values) expect(value).toMatch(/^[\w-]{20}$/);
  expect(new Set(values).size).toBe(50);
});

test.each([
  ['an end where there was none', null, false, NOW, true],
  ['an earlier one', LATER, false, NOW, true],
  ['the same', NOW, false, NOW, false],
  ['the same as staff gave it before', NOW, true, NOW, true],
  ['a later one than that of the template', NOW, false, LATER, false],
  ['a later one than staff gave it', NOW, true, LATER, true],
  ['a later one, where it is not known who gave it its own', NOW, null, LATER, null],
  ['an earlier one, where that is not known', LATER, null, NOW, true],
  ['none any more', NOW, true, null, false],
])('a pass that staff give %s is theirs to renew or not', (_, before, given, next, expected) => {
  const pass = { expires_at: before, expiry_given: given };
  expect(expiryBy(pass, next)).toEqual({ expires_at: next, expiry_given: expected });
});
