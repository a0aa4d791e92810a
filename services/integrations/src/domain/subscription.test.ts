import { webhookNames } from '@laurel/events';
import { asksFor, isSubscribable } from './subscription';

it('takes every name that the catalogue lets webhooks carry, everything, and any custom event', () => {
  for (const name of [...webhookNames, '*', 'custom.visit', 'custom.a.b', 'custom.a']) {
    expect([name, isSubscribable(name, webhookNames)]).toEqual([name, true]);
  }
});

it.each([
  'identity.workspace_deleted',
  'clients.created',
  'loyalty',
  'loy*',
  'loyal.*',
  'loyalty.points_earned.*',
  'identity.*',
  '.*',
  'custom.',
  'custom',
  'constructor',
  'reward_redeemer',
  '',
])('does not take %j', (name) => {
  expect(isSubscribable(name, webhookNames)).toBe(false);
});

it('takes a group of names, as the command line and the client show it, and hears all of the group', () => {
  expect(isSubscribable('loyalty.*', webhookNames)).toBe(true);
  expect(asksFor(['loyalty.*'], 'loyalty.points_earned')).toBe(true);
  expect(asksFor(['loyalty.*'], 'reward_redeemed')).toBe(false);
});

it('matches by name, by * and by the ending of custom.*', () => {
  expect(asksFor(['*'], 'reward_redeemed')).toBe(true);
  expect(asksFor(['custom.*'], 'custom.visit')).toBe(true);
  expect(asksFor(['custom.visit'], 'custom.visit')).toBe(true);
  expect(asksFor(['custom.visit'], 'custom.visits')).toBe(false);
  expect(asksFor(['custom.*'], 'customs.visit')).toBe(false);
  expect(asksFor(['reward_used', 'reward_redeemed'], 'reward_redeemed')).toBe(true);
  expect(asksFor(['reward_used'], 'reward_redeemed')).toBe(false);
});
