import { toHandOver } from './handover';
import type { Redemption } from './shapes';

const redemption = (id: string, fields: Partial<Redemption>): Redemption => ({
  id,
  reward_name: 'A free coffee',
  status: 'fulfilled',
  source: 'self_serve',
  redemption_date: '2026-11-26T10:00:00.000Z',
  used_at: null,
  ...fields,
});

test('only what was redeemed elsewhere and neither used nor cancelled waits to be handed over', () => {
  const waiting = toHandOver([
    redemption('in the portal', {}),
    redemption('by a rule', { source: 'earning_rule' }),
    redemption('handed over', { used_at: '2026-11-26T11:00:00.000Z' }),
    redemption('cancelled', { status: 'cancelled' }),
    redemption('at this counter', { source: 'mobile' }),
  ]);
  expect(waiting.map(({ id }) => id)).toEqual(['in the portal', 'by a rule']);
});
