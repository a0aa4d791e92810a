import { createEvent, type FieldChange, sideIdOf } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { triggersOf } from './triggers-of';

const changed = (said: Partial<FieldChange> = {}) =>
  createEvent('clients.field_change', {
    workspaceId: newId(),
    subject: newId(),
    data: {
      client_id: newId(),
      field_name: 'city',
      old_value: null,
      new_value: 'Berlin',
      source: 'api',
      ...said,
    },
  });

test('a change of a field that was posted happened when its sender says, with what came along', () => {
  const event_timestamp = '2025-12-01T08:00:00.000Z';
  const metadata = { reason: 'crm' };
  const event = changed({ event_timestamp, external_id: 'crm-7', metadata });
  expect(triggersOf(event)).toMatchObject([
    { at: new Date(event_timestamp), externalId: 'crm-7', metadata, fieldName: 'city' },
  ]);
});

test('a change of a field that was made here happened when it was recorded', () => {
  const event = changed();
  expect(triggersOf(event)).toMatchObject([
    { at: new Date(event.time), externalId: null, metadata: {} },
  ]);
});

test('a referral event is named to each side as the trail of that side has it', () => {
  const data = {
    referral_id: newId(),
    referrer_client_id: newId(),
    referee_client_id: newId(),
    referral_code: 'K7QM2XPA',
    completion_criteria: 'first_transaction',
  } as const;
  const event = createEvent('referrals.referral_created', {
    workspaceId: newId(),
    subject: data.referral_id,
    data,
  });
  expect(triggersOf(event)).toMatchObject(
    (['referrer', 'referee'] as const).map((role) => ({
      role,
      eventId: event.id,
      triggerEventId: sideIdOf(event.id, role),
    })),
  );
});
