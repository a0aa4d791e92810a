import type { Move } from './member';
import { messageFor } from './notification';
import type { NotificationConfig, Tier } from './programme';

const tier = (id: string, notification_config: NotificationConfig | null): Tier => ({
  id,
  tier_set_id: 'set',
  workspace_id: 'w',
  name: id.toUpperCase(),
  description: null,
  sort_order: 0,
  kind: 'auto',
  condition_values: {},
  benefits: [],
  color: null,
  icon: null,
  pass_sync_config: {},
  pass_template_id: null,
  notification_config,
});
const held = (id: string) => ({ id, name: id.toUpperCase(), sort_order: 0, kind: 'auto' as const });
const move = (from: string | null, to: string | null, promoted: boolean): Move => ({
  clientId: 'c',
  from: from === null ? null : held(from),
  to: to === null ? null : held(to),
  promoted,
  assigned: false,
  expiresAt: null,
  undoes: null,
  at: new Date(0),
});
const both = { send_on_promotion: true, send_on_demotion: true };

describe('a promotion', () => {
  const promoted = (config: NotificationConfig | null) =>
    messageFor(move('silver', 'gold', true), [tier('silver', both), tier('gold', config)]);

  test('speaks with the words of the tier reached', () => {
    expect(promoted({ send_on_promotion: true, promotion_body: 'Welcome' })).toBe('Welcome');
  });

  test.each([undefined, null, ''])('has words of its own where the tier has none: %p', (body) => {
    const config = {
      send_on_promotion: true,
      ...(body === undefined ? {} : { promotion_body: body }),
    };
    expect(promoted(config)).toBe('You have reached GOLD.');
  });

  test('is silent unless the tier reached asks for it, whatever the one left says', () => {
    expect(promoted(null)).toBeNull();
    expect(promoted({})).toBeNull();
    expect(promoted({ send_on_promotion: false, promotion_body: 'Welcome' })).toBeNull();
    expect(promoted({ send_on_demotion: true, promotion_body: 'Welcome' })).toBeNull();
  });

  test('to a tier that is gone is silent', () => {
    expect(messageFor(move('silver', 'gold', true), [tier('silver', both)])).toBeNull();
  });
});

describe('a demotion', () => {
  const demoted = (
    reached: NotificationConfig | null,
    left: NotificationConfig | null,
    to: string | null = 'silver',
  ) => messageFor(move('gold', to, false), [tier('silver', reached), tier('gold', left)]);

  test('speaks with the tier reached', () => {
    const reached = { send_on_demotion: true, demotion_body: 'Still silver' };
    expect(demoted(reached, { send_on_demotion: true, demotion_body: 'Bye' })).toBe('Still silver');
    expect(demoted({ send_on_demotion: true }, both)).toBe('Your tier is now SILVER.');
  });

  test('speaks with the tier lost where the one reached is silent', () => {
    const left = { send_on_demotion: true, demotion_body: 'Bye' };
    expect(demoted(null, left)).toBe('Bye');
    expect(demoted({ send_on_promotion: true }, left)).toBe('Bye');
    expect(demoted({ send_on_demotion: false }, both)).toBe('Your tier is now SILVER.');
  });

  test('to no tier speaks with the one lost', () => {
    expect(demoted(both, { send_on_demotion: true, demotion_body: 'Bye' }, null)).toBe('Bye');
    expect(demoted(both, both, null)).toBe('You have left GOLD.');
    expect(demoted(both, null, null)).toBeNull();
  });

  test('is silent unless one of the two asks for it', () => {
    expect(demoted(null, null)).toBeNull();
    expect(demoted({ send_on_promotion: true }, { send_on_promotion: true })).toBeNull();
  });

  test('from a tier that is gone, or from none, is silent where the one reached is', () => {
    expect(messageFor(move('gone', 'silver', false), [tier('silver', null)])).toBeNull();
    expect(messageFor(move(null, 'silver', false), [tier('silver', null)])).toBeNull();
  });
});
