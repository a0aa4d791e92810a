import type { Json, JsonObject } from '@laurel/errors';
import { currentContext, stableId } from '@laurel/lifecycle';
import { momentNamed } from '@laurel/values/calendar';
import { catchUpJob } from '@laurel/work';
import type { MobileDeps } from '../../deps';
import type { Effect, StaffOperation } from '../../domain/mobile/staff-operation';
import { catchUp, type DepartureDeps } from '../catch-up';
import type { Task } from './execute/task';

/** Under which an operation of a call is known: the same for each repeat. */
export function staffOperationId(): string {
  return stableId(`staff operation ${currentContext().operationId}`);
}

/**
 * Notes what an action did, so that it can be shown and taken back. What was done for somebody who was merged meanwhile is
 * about the client that they are now.
 */
export async function recordOperation(
  deps: DepartureDeps & Pick<MobileDeps, 'staffOperations'>,
  task: Task,
  { result, sessionId, code }: { result: Json; sessionId: string; code: string | null },
): Promise<string> {
  const id = staffOperationId();
  const { actor } = currentContext();
  await deps.staffOperations.add({
    id,
    workspaceId: task.workspaceId,
    sessionId,
    mobileUserId: actor.type === 'mobile' ? actor.id : null,
    actionId: task.action.id,
    actionName: task.action.name,
    actionType: task.action.action_type,
    passId: task.passId,
    clientId: task.clientId,
    ...left(task, result as JsonObject, code),
    eventId:
      task.action.action_type === 'add_transaction' ? String((result as JsonObject).id) : null,
    at: deps.clock.now(),
    occurredAt: happenedAt(task),
    undoneBy: null,
    undoneAt: null,
  });
  await catchUp(deps, task);
  await deps.staffOperations.catchUps.done(task.workspaceId, id);
  return id;
}

/** When it was, where that was said: what staff entered comes before what the till noted, as for the purchase itself. */
const happenedAt = ({ data: { transaction_timestamp: entered }, occurredAt }: Task): Date | null =>
  typeof entered === 'string' ? momentNamed(entered) : occurredAt;

/** Does what a process was to do that died between noting an operation and catching up with its client. */
export const operationCatchUp = (
  deps: DepartureDeps & Pick<MobileDeps, 'staffOperations' | 'clock'>,
) => {
  const { catchUps } = deps.staffOperations;
  return catchUpJob('catch-up-operations', { catchUps, clock: deps.clock }, (who) =>
    catchUp(deps, who),
  );
};

type Left = Pick<StaffOperation, 'effect' | 'amount' | 'walletTypeCode' | 'currency'>;
const NOTHING: Left = { effect: null, amount: null, walletTypeCode: null, currency: null };

/** What an action left behind: refunds, data and tiers cannot be taken back by the way they came. */
function left({ action }: Task, result: JsonObject, code: string | null): Left {
  switch (action.action_type) {
    case 'add_points':
    case 'remove_points': {
      const effect: Effect = { type: 'entry', id: String(result.id) };
      return { ...NOTHING, effect, amount: Number(result.amount), walletTypeCode: code };
    }
    case 'redeem_reward':
    case 'grant_reward': {
      const { id, points_spent } = result.redemption as JsonObject;
      const effect: Effect = { type: 'redemption', id: String(id) };
      return { ...NOTHING, effect, amount: 0 - Number(points_spent) };
    }
    case 'add_transaction': {
      const amount = Number(result.amount);
      const currency = typeof result.currency === 'string' ? result.currency : null;
      const isSale = result.event_type === 'purchase' && amount > 0;
      const effect: Effect = { type: 'purchase', id: String(result.id), amount, currency };
      return { ...NOTHING, effect: isSale ? effect : null, amount, currency };
    }
    default:
      return NOTHING;
  }
}
