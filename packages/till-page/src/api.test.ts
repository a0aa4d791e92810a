import { createTillApi } from './api';
import type { Wish } from './queue/machine';

const wish: Wish = {
  key: 'key 1',
  code: 'card',
  name: null,
  passId: 'pass 1',
  actionId: 'action 1',
  title: 'Purchase',
  data: { amount: 5 },
  at: 0,
  occurredAt: 60_000,
  mayWait: true,
  state: 'waiting',
};

test.each(['operation 1', null])(
  'what was done bears the id that its own answer names: %s',
  async (id) => {
    const asked: unknown[] = [];
    const { platform } = createTillApi({
      async call(method, path, { body, headers, onAnswer } = {}) {
        asked.push([method, path, body, headers]);
        onAnswer?.(new Headers(id === null ? {} : { 'Operation-Id': id }));
        return { data: { action_type: 'add_transaction', result: {}, balances: [] } } as never;
      },
    });
    const executed = await platform.execute(wish);
    expect(executed).toEqual({
      operation_id: id,
      action_type: 'add_transaction',
      result: {},
      balances: [],
    });
    const occurred_at = '1970-01-01T00:01:00.000Z';
    const body = { pass_id: 'pass 1', data: { amount: 5 }, occurred_at };
    const path = '/service-api/mobile-app-actions/action 1/execute';
    expect(asked).toEqual([['POST', path, body, { 'Idempotency-Key': 'key 1' }]]);
  },
);
