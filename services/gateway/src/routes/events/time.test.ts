import { runInContext, systemContext } from '@laurel/lifecycle';
import type { RpcClients } from '../../rpc-clients';
import { recordBatch } from './batch';
import { eventRoutes } from './routes';
import { createEvent } from './schema';

const DAY_MS = 86_400_000;
const AHEAD_MS = 60 * DAY_MS;
const idOf = (digit: number) => `00000000-0000-7000-8000-00000000000${digit}`;
const [SANDBOX, LIVE, FOREIGN] = [1, 2, 3].map(idOf) as [string, string, string];
/** A pass has the id of its workspace here. */
const passes = [SANDBOX, LIVE, FOREIGN].map((id) => ({ pass_id: id, workspace_id: id }));

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const sale = (pass_id: string, event_timestamp?: string) => ({
  event_category: 'transaction',
  event_type: 'purchase',
  pass_id,
  amount: 1,
  currency: 'EUR',
  ...(event_timestamp === undefined ? {} : { event_timestamp }),
});

const recorded: unknown[] = [];
const rpc = {
  clients: {
    LocatePasses: async ({ pass_ids }: { pass_ids: string[] }) => ({
      passes: passes.filter(({ pass_id }) => pass_ids.includes(pass_id)),
    }),
    RecordEvents: async ({ events }: { events: unknown[] }) => {
      recorded.splice(0, recorded.length, ...events);
      return { created: events.length, failed: 0, events: [], errors: [] };
    },
  },
} as unknown as RpcClients;
const ownOf = async () =>
  [{ workspace_id: SANDBOX, sandbox_ahead_ms: AHEAD_MS }, { workspace_id: LIVE }] as never;

test('the event of a sandbox is dated by the clock of the sandbox, in a batch as alone', async () => {
  const now = inDays(60);
  const events = [
    sale(SANDBOX, now),
    sale(LIVE, now),
    sale(FOREIGN, now),
    sale(SANDBOX, inDays(92)),
    sale(LIVE),
  ];
  const { created, errors } = await runInContext(systemContext(), () =>
    recordBatch(rpc, events, ownOf),
  );
  const late = 'event_timestamp must not be more than 31 days in the future';
  expect([created, errors]).toEqual([2, [1, 2, 3].map((index) => ({ index, error: late }))]);
  expect(recorded).toMatchObject([{ pass_id: SANDBOX }, { pass_id: LIVE }]);
});

test('whose event it is does not depend on when it was, which is checked once that is known', async () => {
  const route = eventRoutes.find(({ path }) => path === '/service-api/events')!;
  const { scope } = route.stack as { scope: { find: (...asked: unknown[]) => Promise<string> } };
  const event = sale(SANDBOX, inDays(60));
  expect(await scope.find(rpc, {}, event)).toBe(SANDBOX);
  const asked = (sandboxAheadMs: number) =>
    runInContext({ ...systemContext(), sandboxAheadMs }, () => createEvent.validate(event).error);
  expect(asked(AHEAD_MS)).toBeUndefined();
  expect(asked(0)?.message).toContain('in the future');
});
