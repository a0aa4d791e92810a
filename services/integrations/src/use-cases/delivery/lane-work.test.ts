import type { WebhookRow } from '../../store/webhooks';
import { Lane } from './lane';
import { createLaneWork, type LaneWorkDeps } from './lane-work';

const rowOf = (failingSince: Date | null) =>
  ({ _id: 'w', active: true, secrets: [], failing_since: failingSince }) as unknown as WebhookRow;

test('an endpoint that begins to fail while it is read is not taken for the working one that was read', async () => {
  const lane = new Lane({ workspaceId: 's', webhookId: 'w', leaseUntil: 0, limitMax: 4 });
  const failing = rowOf(new Date());
  const reads = [rowOf(null), failing];
  const byIds = async () => {
    const row = reads.shift()!;
    // The attempt's end and what it writes, both before this read is back.
    if (reads.length === 1) lane.settlements += 1;
    return [row];
  };
  const work = createLaneWork({ webhooks: { byIds } } as unknown as LaneWorkDeps);
  await work.refresh([lane]);
  expect(lane.webhook).toBe(failing);
});
