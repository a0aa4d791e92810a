import { platform, Refusal } from '@laurel/errors';
import { currentContext } from '@laurel/lifecycle';
import { holdKey } from '@laurel/mongo';
import type { ledger } from '@laurel/rpc';
import { negate, toUnits, type Units } from '@laurel/values/amount';
import type { Deps } from '../deps';
import type { Command, Outcome } from '../store/command';
import { adjustCommand } from './adjust-points';
import { earnCommand } from './earn-points';
import { resolvedOrRepeated } from './on-wallet';
import { answer } from './operation';
import { spendCommand } from './spend-points';

type Result = ledger.BatchResult;

/**
 * Many operations, each on its own: one that fails changes nothing for the others. All are queued in their
 * order at once, which keeps the order per wallet and lets the log write them together. Where a fault leaves open
 * what became of one, and the caller gave a key to repeat the batch under, the batch fails as a whole: its
 * repeat finds what was done and does the rest, where an answer would have been kept as it is. Another batch under the
 * same key is refused as a whole.
 */
export async function batchPoints(
  deps: Deps,
  { workspace_id, operations }: ledger.BatchRequest,
): Promise<ledger.BatchReply> {
  await holdKey(deps.connection);
  const { operationId } = currentContext();
  const prepared = await Promise.all(
    operations.map((operation, index) =>
      prepare(deps, workspace_id, { operation, operationId: `batch:${operationId}:${index}` }),
    ),
  );
  const queued = prepared.map((one) =>
    'command' in one ? perform(deps, one) : Promise.resolve(one),
  );
  return { results: await Promise.all(queued) };
}

interface Prepared {
  command: Command;
  requested: Units;
}

async function prepare(
  deps: Deps,
  workspaceId: string,
  { operation, operationId }: { operation: ledger.BatchOperation; operationId: string },
): Promise<Prepared | Result> {
  try {
    const { earn, spend, adjust } = operation;
    const body = earn ?? spend ?? adjust;
    if (!body) throw platform.invalidPayload({ field: 'op', message: 'op must be given' });
    const kind = earn ? 'earn' : spend ? 'spend' : 'adjust';
    const query = {
      workspaceId,
      clientId: body.client_id,
      walletTypeCode: body.wallet_type_code,
    };
    const once = { operationId, kind, externalId: body.external_id };
    const wallet = await resolvedOrRepeated(deps, query, once);
    const requested = spend ? negate(toUnits(body.amount)) : toUnits(body.amount);
    if (!('ref' in wallet)) return replyOf(wallet, requested);
    if (earn) return { command: earnCommand(wallet, earn, operationId), requested };
    if (spend) return { command: spendCommand(wallet, spend, operationId), requested };
    return { command: adjustCommand(wallet, adjust!, operationId), requested };
  } catch (error) {
    return failureOf(deps, error);
  }
}

async function perform(deps: Deps, { command, requested }: Prepared): Promise<Result> {
  try {
    return replyOf(await deps.log.perform(command), requested);
  } catch (error) {
    return failureOf(deps, error);
  }
}

function replyOf(outcome: Outcome | null, requested: Units): Result {
  const { entry } = answer(outcome, requested);
  return entry ? { entry } : {};
}

/** A definite no is an outcome; a fault is not. */
function isOpen(error: unknown): boolean {
  return !(error instanceof Refusal) || error.httpStatus >= 500;
}

function failureOf({ logger }: Deps, error: unknown): Result {
  if (isOpen(error) && currentContext().operationKept) throw error;
  if (!(error instanceof Refusal)) logger.error({ err: error }, 'an operation of a batch failed');
  const refusal = error instanceof Refusal ? error : platform.internal();
  const [problem] = refusal.problems;
  return {
    error: {
      code: refusal.code,
      message: problem!.message,
      ...(problem!.field === undefined ? {} : { field: problem!.field }),
      ...(problem!.extensions === undefined ? {} : { extensions: problem!.extensions }),
    },
  };
}
