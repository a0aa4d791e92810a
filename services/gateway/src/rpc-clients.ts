import { createRpcClient, type RpcClient, type Services } from '@laurel/rpc';

/** What the gateway asks; the clocks of sandboxes and the making of clones are between services. */
export type Spoken = Exclude<keyof Services, 'clock' | 'clone'>;

/** Calls that may take long: most of them read everything there is. */
const PATIENCE: { readonly [Name in Spoken]?: { [M in keyof Services[Name]]?: number } } = {
  campaigns: { ExecuteAction: 60_000, ExecuteActions: 60_000 },
  ledger: { VerifyLedger: 15 * 60_000 },
  // Receipts are read one after the other.
  passes: { MigrateTemplate: 15 * 60_000, ScanReceipt: 60_000 },
  tiers: { PreviewTiers: 2 * 60_000 },
};

/** A client of each service behind the gateway. */
export type RpcClients = { readonly [Name in Spoken]: RpcClient<Name> };

export function createRpcClients(
  targets: Readonly<Record<Spoken, string>>,
  tlsFolder?: string,
): RpcClients {
  const names = Object.keys(targets) as Spoken[];
  const clients = names.map((name) => [
    name,
    createRpcClient(name, { target: targets[name], tlsFolder, patience: PATIENCE[name] }),
  ]);
  return Object.fromEntries(clients) as RpcClients;
}
