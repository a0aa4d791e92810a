import { createRpcClient, type RpcClient, type Services } from '@laurel/rpc';

/** A client of each service behind the gateway. */
export type RpcClients = { readonly [Name in keyof Services]: RpcClient<Name> };

export function createRpcClients(
  targets: Readonly<Record<keyof Services, string>>,
  tlsFolder?: string,
): RpcClients {
  const clients = Object.entries(targets).map(([name, target]) => [
    name,
    createRpcClient(name as keyof Services, { target, tlsFolder }),
  ]);
  return Object.fromEntries(clients) as RpcClients;
}
