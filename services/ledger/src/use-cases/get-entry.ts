import { platform } from '@laurel/errors';
import type { common, ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { EntryDocument } from '../store/documents';
import { toEntryReply } from './wire';

type Needs = Pick<Deps, 'entries'>;

export async function getEntry(
  deps: Needs,
  { workspace_id, id }: common.Id,
): Promise<ledger.Entry> {
  return toEntryReply(await requireEntry(deps, workspace_id, id));
}

/** The entry, or the 404 that an unknown and a foreign one have in common. */
export async function requireEntry(
  { entries }: Needs,
  workspaceId: string,
  id: string,
): Promise<EntryDocument> {
  const entry = await entries.find(workspaceId, id);
  if (!entry) throw platform.recordNotFound();
  return entry;
}
