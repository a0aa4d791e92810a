import type { Json } from '@laurel/errors';
import { personExport, shown } from '@laurel/mongo';
import { collections } from '../collections';
import type { Deps } from '../deps';
import { toExecution } from '../store/execution-document';
import { executions } from '../store/executions';
import { toExecutionReply } from './wire';

/** What rules did to a person (right of access). */
export const exportClient = personExport<Pick<Deps, 'connection'>>(collections, [
  shown(executions, (_deps, rows) => {
    const ended = rows.filter((row) => row.ended).map(toExecution);
    return { automation_executions: ended.map(toExecutionReply) as unknown as Json };
  }),
]);
