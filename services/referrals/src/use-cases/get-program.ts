import { etagOf } from '@laurel/mongo';
import type { referrals as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { toProgramReply } from './wire';

export async function getProgram(
  { programs }: Pick<Deps, 'programs'>,
  { workspace_id: workspaceId }: api.WorkspaceRequest,
): Promise<api.Program> {
  const program = await programs.find(workspaceId);
  if (!program) throw refusals.noProgram();
  return { ...toProgramReply(program), etag: etagOf(program) };
}
