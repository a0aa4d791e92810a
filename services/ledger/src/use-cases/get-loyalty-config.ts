import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toConfigMessage } from '../store/messages';

export async function getLoyaltyConfig(
  { configs }: Pick<Deps, 'configs'>,
  { workspace_id }: ledger.WorkspaceRequest,
): Promise<ledger.LoyaltyConfigReply> {
  const config = await configs.find(workspace_id);
  return config ? { config: toConfigMessage(config), created: false } : { created: false };
}
