import * as fc from 'fast-check';
import type { WebhookRow } from '../../store/webhooks';
import { Lane, type Loaded } from './lane';

const FAR = Date.now() + 3_600_000;

function openLane(limitMax = 64): Lane {
  const lane = new Lane({ workspaceId: 'w', webhookId: 'h', leaseUntil: FAR, limitMax });
  lane.webhook = { active: true, paused_until: null } as WebhookRow;
  return lane;
}

function delivery(number: number, subject: string): Loaded {
  return {
    _id: `d${number}`,
    event_id: `e${String(number).padStart(6, '0')}`,
    event_type: 'custom.visit',
    subject,
    occurred_at: new Date(1_000 + number),
    failures: 0,
    round: 0,
    body: '',
    keptUntil: new Date(FAR),
  };
}

it('keeps one in flight and the order per subject, whatever comes when', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ add: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ finish: fc.nat(5) }),
      fc.constant({ send: true }),
    ),
    { maxLength: 200 },
  );
  void fc.assert(
    fc.property(steps, (actions) => {
      const lane = openLane();
      const inFlight: Loaded[] = [];
      const last = new Map<string, number>();
      let added = 0;
      let sent = 0;
      const sendOne = (): void => {
        const next = lane.isSendable(Date.now()) ? lane.next() : undefined;
        if (!next) return;
        expect(inFlight.map(({ subject }) => subject)).not.toContain(next.subject);
        expect(next.occurred_at.getTime()).toBeGreaterThan(last.get(next.subject) ?? 0);
        last.set(next.subject, next.occurred_at.getTime());
        inFlight.push(next);
        sent += 1;
      };
      const finishOne = (index: number): void => {
        const [done] = inFlight.splice(index % inFlight.length, 1);
        lane.sent(done!);
        lane.recorded(done!);
      };
      for (const action of actions) {
        if ('add' in action) {
          added += 1;
          lane.add(delivery(added, action.add));
        } else if ('send' in action) sendOne();
        else if (inFlight.length > 0) finishOne(action.finish);
      }
      for (let guard = 0; guard < 1_000 && (lane.queued > 0 || inFlight.length > 0); guard += 1) {
        sendOne();
        if (inFlight.length > 0) finishOne(0);
      }
      expect(sent).toBe(added);
      expect(lane.held.size).toBe(0);
    }),
  );
});

it('puts an earlier delivery that is loaded late before later ones of its subject', () => {
  const lane = openLane();
  for (const number of [3, 1, 2]) lane.add(delivery(number, 'a'));
  const order = [];
  for (let next = lane.next(); next; next = lane.next()) {
    order.push(next._id);
    lane.sent(next);
  }
  expect(order).toEqual(['d1', 'd2', 'd3']);
});

it('does not take up again what was recorded while it looked into the store', async () => {
  const lane = openLane();
  lane.add(delivery(1, 'a'));
  lane.sent(lane.next()!);
  const fresh = await lane.unknownOf(async () => {
    const seen = [delivery(1, 'a'), delivery(2, 'a')];
    lane.recorded(seen[0]!);
    return seen;
  });
  expect(fresh.map(({ _id }) => _id)).toEqual(['d2']);
});

describe('the room of an endpoint', () => {
  const QUICK = { taken: true, durationMs: 10 };
  const SLOW = { taken: true, durationMs: 5_000 };
  const FAILED = { taken: false, durationMs: 10 };
  /** What is in flight at most after the same result many times, each time. */
  const after = (lane: Lane, result: typeof QUICK) =>
    Array.from({ length: 20 }, () => {
      lane.adapt(result);
      return lane.limit;
    });

  it('grows as long as it is quick, and shrinks to one request while it fails', () => {
    const lane = openLane(16);
    expect(after(lane, QUICK).at(-1)).toBe(16);
    expect(after(lane, FAILED).slice(0, 5)).toEqual([8, 4, 2, 1, 1]);
  });

  it('shrinks to what it began with while it is slow and takes everything, so that it can catch up', () => {
    const lane = openLane(16);
    after(lane, QUICK);
    expect(after(lane, SLOW).slice(0, 3)).toEqual([8, 4, 4]);
    after(lane, FAILED);
    expect(after(lane, SLOW).slice(0, 4)).toEqual([2, 3, 4, 4]);
    after(lane, FAILED);
    expect(after(lane, { taken: true, durationMs: 1_500 }).at(-1)).toBe(4);
  });

  it('is never more than a setting allows', () => {
    const lane = openLane(2);
    expect(new Set([...after(lane, SLOW), ...after(lane, QUICK)])).toEqual(new Set([2]));
  });
});

it('sends nothing while the endpoint is inactive, paused or the lease has run out', () => {
  const lane = openLane();
  lane.add(delivery(1, 'a'));
  const now = Date.now();
  expect(lane.isSendable(now)).toBe(true);
  lane.webhook = { active: false, paused_until: null } as WebhookRow;
  expect(lane.isSendable(now)).toBe(false);
  lane.webhook = { active: true, paused_until: new Date(now + 1_000) } as WebhookRow;
  expect(lane.isSendable(now)).toBe(false);
  expect(lane.isSendable(now + 1_001)).toBe(true);
  expect(lane.isSendable(FAR + 1)).toBe(false);
});
