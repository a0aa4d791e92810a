import type { DeliveryReason, DeliveryStatus } from '@laurel/contract';
import { groupBy } from '@laurel/lifecycle';
import type { AttemptRow } from './attempts';

/** What an attempt changed. Applied only while the delivery is in the same round. */
export interface DeliveryResult {
  id: string;
  workspaceId: string;
  round: number;
  status: DeliveryStatus;
  reason: DeliveryReason | null;
  responseStatus: number | null;
  error: string | null;
  nextAttemptAt: Date | null;
  at: Date;
  /** The request that was made; null where none could be. */
  attempt: AttemptRow | null;
}

/** The writes that make results durable; none changes a delivery whose round is over. */
export const toUpdates = (results: readonly DeliveryResult[]) => groupAlike(results).map(toUpdate);

/** Most results of a batch say the same (taken, 200): they become one update. */
function groupAlike(results: readonly DeliveryResult[]): DeliveryResult[][] {
  const alike = groupBy(
    results,
    ({ workspaceId, round, status, reason, responseStatus, error, nextAttemptAt, attempt }) => {
      const decided = [status, reason, responseStatus, error, nextAttemptAt];
      return JSON.stringify([workspaceId, round, ...decided, attempt !== null]);
    },
  );
  return [...alike.values()];
}

function toUpdate(group: readonly DeliveryResult[]) {
  const { workspaceId, round, status, reason, responseStatus, error, nextAttemptAt, at, attempt } =
    group[0]!;
  const attempts = attempt === null ? 0 : 1;
  return {
    updateMany: {
      filter: {
        _id: { $in: group.map(({ id }) => id) },
        workspace_id: workspaceId,
        round,
        status: 'pending' as const,
      },
      update: {
        $set: {
          status,
          reason,
          response_status: responseStatus,
          last_error: error,
          next_attempt_at: nextAttemptAt,
          delivered_at: status === 'delivered' ? at : null,
        },
        $inc: { attempts, failures: status === 'delivered' ? 0 : attempts },
      },
    },
  };
}
