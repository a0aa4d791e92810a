import type { Json, JsonObject } from '@laurel/errors';
import { personExport, personText } from '@laurel/mongo';
import type { ledger } from '@laurel/rpc';
import { collections } from '../collections';
import type { Deps } from '../deps';
import { getBalances } from './get-wallets';
import { walletsOfPerson } from './wallets-of-person';
import { toEntryReply } from './wire';

const exportRows = personExport<Pick<Deps, 'connection'>>(collections, []);

/**
 * Everything the ledger holds on a person, including what came from clients merged into this one, as the text of one JSON
 * object: balances, and each entry as it is read.
 */
export async function* streamClientExport(
  deps: Deps,
  request: ledger.ClientRequest,
): AsyncIterable<ledger.TextChunk> {
  const { workspace_id: workspaceId, client_id: clientId } = request;
  const [{ wallets }, walletIds, others] = await Promise.all([
    getBalances(deps, request),
    walletsOfPerson(deps, workspaceId, clientId),
    exportRows(deps, request),
  ]);
  const shown = wallets.map(({ wallet, wallet_type }) => ({
    ...wallet,
    wallet_type_code: wallet_type!.code,
  }));
  const data = { ...others.data, wallets: shown } as unknown as JsonObject;
  yield* personText(data, 'ledger_entries', entriesOf(deps, workspaceId, walletIds));
}

async function* entriesOf({ entries }: Deps, workspaceId: string, walletIds: readonly string[]) {
  for await (const entry of entries.ofWallets(workspaceId, walletIds))
    yield toEntryReply(entry) as unknown as Json;
}
