import { catalogue, findDefinition, webhookName, webhookNames } from '.';

describe('the event catalogue', () => {
  test.each(catalogue.map((definition) => [definition.type, definition] as const))(
    'shows an example of %s that its schema accepts',
    (_, { schema, example }) => {
      expect(schema.validate(example, { convert: false }).error).toBeUndefined();
    },
  );

  test('names every type once, as <domain>.<event>', () => {
    const types = catalogue.map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
    for (const type of types) expect(type).toMatch(/^[a-z_]+\.([a-z_]+|\*)$/);
  });

  test('names every webhook once', () => {
    expect(new Set(webhookNames).size).toBe(webhookNames.length);
  });

  test('knows the webhook names of part 1 and part 3', () => {
    expect(webhookNames).toEqual(
      expect.arrayContaining([
        'loyalty.points_earned',
        'loyalty.points_spent',
        'loyalty.points_adjusted',
        'reward_redeemed',
        'reward_used',
        'reward_cancelled',
        'field_change',
        'referral_completed',
        'referral_expired',
        'tier_promoted',
        'tier_demoted',
        'client.created',
        'client.updated',
        'client.deleted',
        'client.anonymized',
        'client.merged',
        'transaction.purchase',
        'engagement.check_in',
        'automation.webhook',
        'webhook.test',
      ]),
    );
  });

  test('takes a custom event by its pattern and carries it under its own name', () => {
    expect(findDefinition('custom.newsletter_opened')?.type).toBe('custom.*');
    expect(webhookName('custom.newsletter_opened')).toBe('custom.newsletter_opened');
    expect(findDefinition('custom.')).toBeUndefined();
  });

  test('carries a loyalty event from outside under the name of the platform’s own', () => {
    expect(webhookName('posted_loyalty.points_earned')).toBe('loyalty.points_earned');
    expect(webhookName('posted_loyalty.reward_redeemed')).toBe('reward_redeemed');
    expect(webhookName('custom.reward_redeemed')).toBe('custom.reward_redeemed');
    expect(webhookNames).not.toContain('loyalty.*');
  });

  test('keeps internal events from webhooks', () => {
    expect(webhookName('identity.member_added')).toBeNull();
    expect(webhookName('no.such_event')).toBeNull();
  });

  test('holds back an unheard event only where a webhook may wait for it', () => {
    expect(findDefinition('loyalty.points_earned')?.listeners).toBe('required');
    expect(findDefinition('identity.settings_updated')?.listeners).toBe('optional');
  });

  test('counts completed referrals on the side of the referrer only', () => {
    const { schema, example } = findDefinition('referrals.referral_completed')!;
    const completed = example as Record<string, unknown>;
    expect(schema.validate({ ...completed, role: 'referee' }).error).toBeDefined();
    const { referrer_completed_count: _, ...others } = completed;
    const referee = { ...others, role: 'referee' };
    expect(schema.validate(referee).error).toBeUndefined();
  });
});
