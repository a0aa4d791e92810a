import type { PageSession } from '@laurel/page-kit';
import type { Wish } from './queue/machine';
import type { Platform } from './queue/queue';
import type {
  App,
  CouponVerdict,
  Executed,
  Followed,
  Operation,
  Pass,
  Quote,
  Redemption,
  Reward,
  SignedUp,
  Staff,
  Undone,
  WholePass,
} from './shapes';

const ROOT = '/service-api/mobile-app';

/** A pass as it is sent: each wallet with its type beside it. */
type SentPass = Omit<WholePass, 'wallets'> & {
  wallets: {
    wallet: Omit<WholePass['wallets'][number], 'wallet_type_code'>;
    wallet_type: { code: string };
  }[];
};
const flat = <Sent extends SentPass>({ wallets, ...pass }: Sent) => ({
  ...pass,
  wallets: wallets.map(({ wallet, wallet_type: { code } }) => ({
    wallet_type_code: code,
    wallet_type_id: wallet.wallet_type_id,
    active_balance: wallet.active_balance,
    pending_balance: wallet.pending_balance,
  })),
});

type Call = PageSession<Staff>['call'];

/** Does what was wished; the answer names it in a header. */
async function execute(
  call: Call,
  { key, actionId, passId, data, occurredAt }: Wish,
): Promise<Executed> {
  const path = `/service-api/mobile-app-actions/${actionId}/execute`;
  const moment =
    occurredAt === undefined ? {} : { occurred_at: new Date(occurredAt).toISOString() };
  let operation_id: string | null = null;
  const answer = await call<{ data: Omit<Executed, 'operation_id'> }>('POST', path, {
    body: { pass_id: passId, data, ...moment },
    headers: { 'Idempotency-Key': key },
    onAnswer: (headers) => {
      operation_id = headers.get('operation-id');
    },
  });
  return { ...answer.data, operation_id };
}

/** The staff's operations. */
export function createTillApi({ call }: { call: Call }) {
  const read = async <T>(path: string): Promise<T> => (await call<{ data: T }>('GET', path)).data;
  const write = async <T>(path: string, body: object, key: string): Promise<T> =>
    (await call<{ data: T }>('POST', path, { body, headers: { 'Idempotency-Key': key } })).data;
  const scan = async (code: string) =>
    flat(await read<SentPass>(`${ROOT}/passes/scan/${encodeURIComponent(code)}`));
  const platform: Platform = {
    find: async (code) => (await scan(code)).id,
    execute: (wish) => execute(call, wish),
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
    recent: (limit = 20) => read<Operation[]>(`${ROOT}/recent?limit=${limit}`),
    /** Holds on for up to so many seconds until rules have run. */
    follow: (id: string, seconds: number) =>
      read<Followed>(`${ROOT}/operations/${id}?wait=${seconds}`),
    quote: async (actionId: string, passId: string, data: object): Promise<Quote> => {
      const body = { pass_id: passId, data };
      const path = `/service-api/mobile-app-actions/${actionId}/quote`;
      return (await call<{ data: Quote }>('POST', path, { body })).data;
    },
    coupon: async (code: string): Promise<CouponVerdict> =>
      (await call<{ data: CouponVerdict }>('POST', `${ROOT}/coupons/validate`, { body: { code } }))
        .data,
    /** Marks what was redeemed as handed over, or with `used` false as not. */
    use: (redemptionId: string, used: boolean, key: string) =>
      write<{ was_used: boolean }>(`${ROOT}/redemptions/${redemptionId}/use`, { used }, key),
    /** Once under a key, whatever the network does. */
    undo: (id: string, key: string) => write<Undone>(`${ROOT}/operations/${id}/undo`, {}, key),
    signUp: async (person: object, key: string): Promise<SignedUp> =>
      flat(
        await write<SentPass & Pick<SignedUp, 'apple_pass_url' | 'google_pass_url'>>(
          `${ROOT}/clients`,
          person,
          key,
        ),
      ),
    redemptions: (passId: string) =>
      read<Redemption[]>(`${ROOT}/passes/${passId}/redemptions?limit=100`),
    rewards: (passId: string) => read<Reward[]>(`${ROOT}/passes/${passId}/rewards?limit=100`),
  };
}

export type TillApi = ReturnType<typeof createTillApi>;
