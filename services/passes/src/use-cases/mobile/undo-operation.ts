import { Refusal } from '@laurel/errors';
import { currentContext, ownOperation, runInContext, stableId } from '@laurel/lifecycle';
import type { passes as api } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import {
  type Effect,
  keptFrom,
  type StaffOperation,
  TOO_LATE,
} from '../../domain/mobile/staff-operation';
import { refusals } from '../../refusals';
import { SOURCE } from './execute/task';
import { balancesOf } from './execute-app-action';
import { openApp } from './open-app';

type UndoDeps = Pick<
  MobileDeps,
  'clients' | 'clock' | 'ledger' | 'mobileApps' | 'rewards' | 'staffOperations'
>;

const REASON = 'taken back at the till';

/**
 * Takes back what a device did, once, by one command of the service that holds it. The command carries a name of the
 * operation's own: a replica that goes on after a crash, and a second press, give the same one.
 */
export async function undoOperation(
  deps: UndoDeps,
  request: api.StaffOperationRequest,
): Promise<api.UndoneStaffOperation> {
  const { workspace_id: workspaceId, session_id: sessionId, id } = request;
  await openApp(deps, request);
  const operation = await deps.staffOperations.find(workspaceId, id);
  if (!operation) throw refusals.operationNotFound();
  const by = currentContext().operationId;
  const isRepeat = operation.undoneBy === by && operation.sessionId === sessionId;
  const reason = isRepeat ? null : keptFrom(operation, sessionId, deps.clock.now());
  const isDone = reason === TOO_LATE && (await isTakenBack(deps, operation));
  if (reason !== null && !isDone) throw refusals.notUndoable({ message: reason });
  const undone = await undo(deps, operation, operation.effect!);
  if (!isRepeat)
    await deps.staffOperations.finishUndo(workspaceId, id, { by, now: deps.clock.now() });
  return { undone: [undone], balances: await balancesOf(deps, operation) };
}

const undoingOf = ({ id }: StaffOperation): string => stableId(`undo ${id}`);

/**
 * Whether what an operation left behind is taken back where it was, though it is not noted here: the process that did so in
 * time may have ended in between. Where somebody else did, the command is refused: it is no repeat of theirs.
 */
async function isTakenBack(deps: UndoDeps, operation: StaffOperation): Promise<boolean> {
  const { workspaceId: workspace_id } = operation;
  const { type, id } = operation.effect!;
  if (type === 'entry')
    return (await deps.ledger.GetEntry({ workspace_id, id })).status === 'cancelled';
  if (type === 'redemption')
    return (await deps.rewards.GetRedemption({ workspace_id, id })).status === 'cancelled';
  try {
    await deps.clients.GetEvent({ workspace_id, id: undoingOf(operation) });
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.httpStatus === 404) return false;
    throw error;
  }
}

function undo(deps: UndoDeps, operation: StaffOperation, effect: Effect): Promise<api.UndonePart> {
  const { id, workspaceId: workspace_id, clientId, passId } = operation;
  const operationId = undoingOf(operation);
  return runInContext(ownOperation(operationId), async () => {
    if (effect.type === 'entry') {
      const request = {
        workspace_id,
        entry_id: effect.id,
        reason: REASON,
        operation_id: operationId,
      };
      const { entry } = await deps.ledger.CancelEntry(request);
      return { type: 'entry', id: entry!.id, amount: entry!.amount };
    }
    if (effect.type === 'redemption') {
      const { refunded_points } = await deps.rewards.CancelRedemption({
        workspace_id,
        id: effect.id,
      });
      return { type: 'redemption', id: effect.id, amount: refunded_points };
    }
    const refund = {
      id: operationId,
      client_id: clientId,
      pass_id: passId,
      event_category: 'transaction',
      event_type: 'refund',
      source: SOURCE,
      amount: effect.amount,
      currency: effect.currency,
      original_external_id: effect.id,
      metadata: { staff_operation_id: id, description: REASON },
      // Some of the sale may have been given back elsewhere.
      rest_of_sale: true,
    };
    const told = await deps.clients.RecordTrail({ workspace_id, entries: [refund] });
    if (!told.stored_ids.includes(operationId))
      throw refusals.notUndoable({ message: 'all of the purchase has been given back already' });
    const [link] = told.refund_links;
    return { type: 'refund', id: operationId, amount: link?.amount ?? effect.amount };
  });
}
