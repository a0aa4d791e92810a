import { webhookNames } from '@laurel/events';
import { eventTypes } from './event-types';

const triggers = {
  transaction: ['purchase'],
  custom: [],
  field_change: ['field_updated'],
  loyalty: ['points_earned', 'reward_redeemed', 'eclipse'],
};

test('every name of the catalogue is listed once with its description, and whatever else fires rules', () => {
  const listed = eventTypes(triggers);
  expect(listed.filter(({ webhook }) => webhook).map(({ type }) => type)).toEqual(webhookNames);
  expect(listed.every(({ description }) => description.length > 10)).toBe(true);
  expect(listed.filter(({ webhook }) => !webhook)).toEqual([
    {
      type: 'loyalty.eclipse',
      description: expect.any(String),
      webhook: false,
      rule_trigger: true,
    },
  ]);
});

test('what fires rules is found under the name that webhooks have for it', () => {
  const fires = eventTypes(triggers).filter(({ rule_trigger: is }) => is);
  expect(fires.map(({ type }) => type).sort()).toEqual([
    'custom.*',
    'field_change',
    'loyalty.eclipse',
    'loyalty.points_earned',
    'reward_redeemed',
    'transaction.purchase',
  ]);
});
