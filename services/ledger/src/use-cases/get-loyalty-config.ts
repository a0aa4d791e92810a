import { etagOf, versionOf } from '@laurel/mongo';
import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toConfigReply } from './wire';

/** The loyalty config of a workspace, where it has one. */
export async function getLoyaltyConfig(
  { configs }: Pick<Deps, 'configs'>,
  { workspace_id }: ledger.WorkspaceRequest,
): Promise<ledger.LoyaltyConfigReply> {
  const config = await configs.find(workspace_id);
  if (!config) return { created: false };
  return {
    config: { ...toConfigReply(config), etag: etagOf(versionOf(config)) },
    created: false,
  };
}
