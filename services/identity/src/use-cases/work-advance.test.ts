import { PIECE_LEASE_MS } from '@laurel/work';
import type { ClaimedClock } from '../store/sandbox-clocks';
import { workAdvance } from './work-advance';

const HOUR_MS = 3_600_000;
const START = new Date('2026-01-01T00:00:00Z');
/** What each question to all services takes. */
const LOOK_MS = 2_000;

let realMs: number;
beforeEach(() => {
  realMs = START.getTime();
  jest.spyOn(Date, 'now').mockImplementation(() => realMs);
});
afterEach(() => jest.restoreAllMocks());

/** A sandbox with something due every hour, and what becomes of its advance by a week. */
function sandbox(row: ClaimedClock) {
  const ends: string[] = [];
  const clock = { now: () => new Date(realMs) };
  const nowOf = () => realMs + row.ahead_ms;
  const deps = {
    clock,
    cache: { revoke: async () => undefined },
    members: { list: async () => [] },
    clockPeers: {
      move: async () => undefined,
      look: async () => {
        realMs += LOOK_MS;
        const next = new Date(Math.floor(nowOf() / HOUR_MS + 1) * HOUR_MS).toISOString();
        return [
          { service: 'any', standing: { busy: [], next_due_at: next, sent: [], queues: [] } },
        ];
      },
    },
    sandboxClocks: {
      move: async (_: ClaimedClock, aheadMs: number) => {
        row.ahead_ms = aheadMs;
        row.advance!.steps! += 1;
        return true;
      },
      release: async () => ends.push('released') > 0,
      finish: async (_: ClaimedClock, problem: string | null) => ends.push(problem ?? 'ready') > 0,
    },
  };
  const work = () => workAdvance(deps as never, { ...row }, { isStopping: () => false });
  return { work, ends };
}

const rowOf = (steps: number): ClaimedClock => ({
  _id: 'w',
  workspace_id: 'w',
  creator_id: 'p',
  ahead_ms: 0,
  ends_at: new Date(START.getTime() + 24 * HOUR_MS),
  advance: {
    to: new Date(START.getTime() + 7 * 24 * HOUR_MS),
    status: 'advancing',
    problem: null,
    steps,
  },
  lease: 'mine',
});

test('an advance that takes long lets those of others have their turn, and goes on where it was', async () => {
  const row = rowOf(0);
  const { work, ends } = sandbox(row);
  await work();
  expect(ends).toEqual(['released']);
  expect(realMs - START.getTime()).toBeLessThan(PIECE_LEASE_MS);
  const passed = row.ahead_ms;
  expect(passed).toBeGreaterThan(0);
  for (let turn = 0; turn < 200 && ends.at(-1) === 'released'; turn += 1) await work();
  expect(ends.at(-1)).toBe('ready');
});

test('moments that were passed in earlier turns count towards what one advance passes', async () => {
  const { work, ends } = sandbox(rowOf(10_000));
  await work();
  expect(ends).toEqual(['more moments than one advance passes']);
});
