import { type Problem, problemOf, validated } from '@laurel/errors';
import type { ledger } from '@laurel/rpc';
import type Joi from 'joi';
import type { RpcClients } from '../../rpc-clients';
import { type BatchItem, presentBatchItem } from './present';
import { adjust, earn, spend } from './schema';

const SCHEMAS: Record<string, Joi.ObjectSchema> = { earn, spend, adjust };

type Checked = { operation: ledger.BatchOperation } | { error: object };

/**
 * Runs the operations of a batch, each on its own: what is malformed fails at the door under its own index, the
 * rest goes on together and keeps its order.
 */
export async function runBatch(
  rpc: RpcClients,
  workspaceId: string,
  operations: readonly Record<string, unknown>[],
): Promise<{ succeeded: number; failed: number; results: object[] }> {
  const checked = operations.map((operation) => check(workspaceId, operation));
  const sound = checked.flatMap((one) => ('operation' in one ? [one.operation] : []));
  const reply =
    sound.length === 0
      ? { results: [] }
      : await rpc.ledger.BatchPoints({ workspace_id: workspaceId, operations: sound });
  const answers = reply.results.map(presentBatchItem);
  const results = checked.map((one, index): BatchItem & { index: number } => ({
    index,
    ...('operation' in one ? answers.shift()! : one),
  }));
  const succeeded = results.filter((result) => 'entry' in result).length;
  return { succeeded, failed: results.length - succeeded, results };
}

function check(workspaceId: string, { op, ...body }: Record<string, unknown>): Checked {
  const schema = typeof op === 'string' && Object.hasOwn(SCHEMAS, op) ? SCHEMAS[op]! : null;
  if (!schema) return invalid({ field: 'op', message: 'op must be one of earn, spend, adjust' });
  const { value, mistakes } = validated(schema, body, {
    convert: false,
    errors: { wrap: { label: false } },
  });
  const [mistake] = mistakes;
  if (mistake) return invalid(problemOf(mistake));
  return { operation: { [op as string]: { ...value, workspace_id: workspaceId } } };
}

function invalid({ field, message }: Problem): Checked {
  return { error: { message, extensions: { code: 'INVALID_PAYLOAD', field } } };
}
