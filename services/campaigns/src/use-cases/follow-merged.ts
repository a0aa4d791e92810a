import { mergePerson, unitOfWork } from '@laurel/mongo';
import { successorsOf } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Member } from '../domain/audience';

/**
 * Those of some members who were merged into another client, as they stand then: a merge may be done before this service
 * hears of it, and is carried out here at once. Doing it once more, when it is heard of, changes nothing.
 */
export async function followMerged(
  deps: Pick<Deps, 'audience' | 'clients' | 'collections' | 'connection'>,
  workspaceId: string,
  members: readonly Member[],
): Promise<Member[]> {
  const clientIds = [...new Set(members.map(({ client_id }) => client_id))];
  const successors = await successorsOf(deps.clients, workspaceId, clientIds);
  for (const [source, target] of successors)
    await unitOfWork(deps.connection, (session) =>
      mergePerson(deps, { workspaceId, source, target }, session),
    );
  const moved = members.filter(({ client_id }) => successors.has(client_id));
  if (moved.length === 0) return [];
  const ids = moved.map(({ id }) => id);
  return deps.audience.some(workspaceId, ids);
}
