import { platform } from '@laurel/errors';
import { etagOf, versionOf } from '@laurel/mongo';
import type { common, ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toWalletTypeReply } from './wire';

type Needs = Pick<Deps, 'walletTypes'>;

/** The default first, then by name. */
export async function listWalletTypes(
  { walletTypes }: Needs,
  { workspace_id, active }: ledger.ListWalletTypesRequest,
): Promise<ledger.WalletTypes> {
  const all = await walletTypes.list(workspace_id);
  const wanted = all.filter((type) => active === undefined || type.active === active);
  return { wallet_types: wanted.map(toWalletTypeReply) };
}

export async function getWalletType(
  { walletTypes }: Needs,
  { workspace_id, id }: common.Id,
): Promise<ledger.WalletType> {
  const type = await walletTypes.find(workspace_id, id);
  if (!type) throw platform.recordNotFound();
  return { ...toWalletTypeReply(type), etag: etagOf(versionOf(type)) };
}
