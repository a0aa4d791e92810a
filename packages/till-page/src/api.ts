import type { PageSession } from '@laurel/page-kit';
import type { Platform } from './queue/queue';
import type { App, Executed, Pass, Reward, Staff, Wallet, WholePass } from './shapes';

const ROOT = '/service-api/mobile-app';

/** A pass as it is sent: each wallet with its type beside it. */
type SentPass = Omit<WholePass, 'wallets'> & {
  wallets: { wallet: Omit<Wallet, 'wallet_type_code'>; wallet_type: { code: string } }[];
};
const flat = ({ wallets, ...pass }: SentPass): WholePass => ({
  ...pass,
  wallets: wallets.map(({ wallet, wallet_type: { code } }) => ({
    wallet_type_code: code,
    active_balance: wallet.active_balance,
    pending_balance: wallet.pending_balance,
  })),
});

/** The staff's operations. */
export function createTillApi({ call }: Pick<PageSession<Staff>, 'call'>) {
  const read = async <T>(path: string): Promise<T> => (await call<{ data: T }>('GET', path)).data;
  const scan = async (code: string) =>
    flat(await read<SentPass>(`${ROOT}/passes/scan/${encodeURIComponent(code)}`));
  const platform: Platform = {
    find: async (code) => (await scan(code)).id,
    execute: async ({ key, actionId, passId, data }) =>
      (
        await call<{ data: Executed }>(
          'POST',
          `/service-api/mobile-app-actions/${actionId}/execute`,
          {
            body: { pass_id: passId, data },
            headers: { 'Idempotency-Key': key },
          },
        )
      ).data,
  };
  return {
    platform,
    scan,
    /** Null while the owner has the app switched off. */
    app: (workspaceId: string) =>
      read<App | null>(`/service-api/workspace/${workspaceId}/mobile-app`),
    settings: (workspaceId: string) =>
      read<{ default_currency: string }>(`/service-api/workspace/${workspaceId}/settings`),
    pass: async (id: string) => flat(await read<SentPass>(`${ROOT}/passes/${id}`)),
    search: (q: string) => read<Pass[]>(`${ROOT}/passes/search?q=${encodeURIComponent(q)}`),
    rewards: (passId: string) => read<Reward[]>(`${ROOT}/passes/${passId}/rewards?limit=100`),
  };
}

export type TillApi = ReturnType<typeof createTillApi>;
