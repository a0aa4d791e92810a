import type { Json } from '@laurel/errors';
import { personExport } from '@laurel/mongo';
import type { ledger } from '@laurel/rpc';
import { collections } from '../collections';
import type { Deps } from '../deps';
import { getBalances } from './get-wallets';
import { walletsOfPerson } from './wallets-of-person';
import { toEntryReply } from './wire';

const exportRows = personExport<Pick<Deps, 'connection'>>(collections, []);

/** Everything the ledger holds on a person, including what came from clients merged into this one. */
export async function exportClient(
  deps: Deps,
  request: ledger.ClientRequest,
): Promise<ledger.ClientExport> {
  const { workspace_id: workspaceId, client_id: clientId } = request;
  const [{ wallets }, walletIds, others] = await Promise.all([
    getBalances(deps, request),
    walletsOfPerson(deps, workspaceId, clientId),
    exportRows(deps, request),
  ]);
  const entries = await deps.entries.findOfWallets(workspaceId, walletIds);
  const shown = wallets.map(({ wallet, wallet_type }) => ({
    ...wallet,
    wallet_type_code: wallet_type!.code,
  }));
  const data = { ...others.data, wallets: shown, ledger_entries: entries.map(toEntryReply) };
  return { data: data as unknown as Json };
}
