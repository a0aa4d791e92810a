import type { ClientExpansion } from '@laurel/contract';
import type { clients as api } from '@laurel/rpc';
import { partsOf } from '../../routing';
import type { Input } from '../../routing/route';
import type { RpcClients } from '../../rpc-clients';

type Asked = Pick<Input<string, unknown, unknown>, 'rpc' | 'workspaceId'>;
interface People {
  workspace_id: string;
  ids: string[];
}
/** What stands with a client, by the client's id. */
type Beside = ReadonlyMap<string, unknown>;

const READERS: { [Name in ClientExpansion]: (rpc: RpcClients, people: People) => Promise<Beside> } =
  {
    async wallets({ ledger }, { workspace_id, ids: client_ids }) {
      const { wallet_types, clients } = await ledger.ListBalances({ workspace_id, client_ids });
      const codes = new Map(wallet_types.map(({ id, code }) => [id, code]));
      return new Map(
        clients.map(({ client_id, wallets }) => [
          client_id,
          wallets.map(({ wallet_type_id, active_balance, pending_balance }) => ({
            wallet_type_id,
            wallet_type_code: codes.get(wallet_type_id),
            active_balance,
            pending_balance,
          })),
        ]),
      );
    },

    async tier({ tiers }, { workspace_id, ids: client_ids }) {
      const [{ placements }, { tiers: known }] = await Promise.all([
        tiers.GetClientTiers({ workspace_id, client_ids }),
        tiers.ListTiers({ workspace_id }),
      ]);
      const shown = new Map(
        known.map(({ id, name, color = null }) => [id, { id, name, color }] as const),
      );
      return new Map(
        placements.map(({ client_id, tier_id }) => [client_id, shown.get(tier_id ?? '') ?? null]),
      );
    },

    async last_event({ clients }, people) {
      const { events } = await clients.ListLastEvents(people);
      return new Map(events.map(({ client_id, ...event }) => [client_id, event]));
    },
  };

/**
 * The clients with what was asked for beside them: one call for each of its kinds, not one for each client. What a
 * service that is down would tell is null, and among what is missing.
 */
export async function withBeside(
  { rpc, workspaceId: workspace_id }: Asked,
  rows: readonly api.Client[],
  expand: readonly ClientExpansion[] = [],
): Promise<{ rows: readonly object[]; missing: string[] }> {
  if (expand.length === 0 || rows.length === 0) return { rows, missing: [] };
  const people = { workspace_id, ids: rows.map(({ id }) => id) };
  const asked = Object.fromEntries(expand.map((name) => [name, READERS[name](rpc, people)]));
  const { parts, missing } = await partsOf(asked);
  const beside = Object.entries(parts);
  return {
    rows: rows.map((row) => ({
      ...row,
      ...Object.fromEntries(beside.map(([name, part]) => [name, part?.get(row.id) ?? null])),
    })),
    missing,
  };
}
