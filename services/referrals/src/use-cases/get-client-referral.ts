import { newId } from '@laurel/lifecycle';
import { retryingCollisions, unitOfWork } from '@laurel/mongo';
import type { referrals as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { makeCode, shareUrl } from '../domain/code';
import type { Program } from '../domain/program';

/** The client's code, minted now where there is none and there may be one, its link and what it brought. */
export async function getClientReferral(
  deps: Deps,
  { workspace_id: workspaceId, client_id: clientId }: api.ClientRequest,
): Promise<api.ClientReferral> {
  const [standing, program, known, stats] = await Promise.all([
    deps.clients.GetClientStanding({ workspace_id: workspaceId, client_id: clientId }),
    deps.programs.find(workspaceId),
    deps.codes.shownOf(workspaceId, clientId),
    deps.statistics.ofReferrer(workspaceId, clientId),
  ]);
  const enabled = program?.enabled ?? false;
  const mayMint = known === null && enabled && standing.loyalty_program_enabled;
  const code = mayMint ? await mintCode(deps, workspaceId, clientId) : known;
  const share_url = await linkTo(deps, program, code);
  return { code, share_url, stats, program_enabled: enabled };
}

/** The client's new code, or the one that somebody else minted for them meanwhile; null for a client that is gone. */
async function mintCode(
  deps: Pick<Deps, 'codes' | 'people' | 'connection' | 'clock' | 'pickNumber'>,
  workspaceId: string,
  clientId: string,
): Promise<string | null> {
  // Of a code that is taken, too, though that is about as likely as a meteorite.
  return retryingCollisions(() =>
    unitOfWork(deps.connection, async (session) => {
      const { ended } = await deps.people.touch(workspaceId, { id: clientId }, session);
      if (ended !== null) return null;
      const minted = await deps.codes.shownOf(workspaceId, clientId, session);
      if (minted !== null) return minted;
      const code = makeCode(deps.pickNumber);
      const fresh = { id: newId(), code, clientId, createdAt: deps.clock.now() };
      await deps.codes.insert(workspaceId, fresh, session);
      return code;
    }),
  );
}

async function linkTo(
  { distributions }: Pick<Deps, 'distributions'>,
  program: Program | null,
  code: string | null,
): Promise<string | null> {
  if (code === null || !program?.distribution_id) return null;
  const page = await distributions.find(program.workspace_id, program.distribution_id);
  return page?.publicUrl ? shareUrl(page.publicUrl, code) : null;
}
