import type { Json } from '@laurel/errors';
import { personExport, personText } from '@laurel/mongo';
import type { automations as api } from '@laurel/rpc';
import { collections } from '../collections';
import type { Deps } from '../deps';
import { toExecutionReply } from './wire';

type ExportDeps = Pick<Deps, 'connection' | 'executions'>;

const exportRows = personExport<Pick<Deps, 'connection'>>(collections, []);

/** What rules did to a person (right of access), as the text of one JSON object: each execution as it is read. */
export async function* streamClientExport(
  deps: ExportDeps,
  request: api.ClientRequest,
): AsyncIterable<api.TextChunk> {
  const { data } = await exportRows(deps, request);
  yield* personText(data, 'automation_executions', executionsOf(deps, request));
}

async function* executionsOf(
  { executions }: ExportDeps,
  { workspace_id, client_id }: api.ClientRequest,
) {
  for await (const execution of executions.endedOf(workspace_id, client_id))
    yield toExecutionReply(execution) as unknown as Json;
}
