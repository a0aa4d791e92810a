import type {
  Balance,
  Card,
  Person,
  Redeemed,
  RedemptionPage,
  Referral,
  Reward,
  RewardDetail,
  Session,
  StatementPage,
  TierProgress,
} from './shapes.ts';

/** What the portal refused, in its own word; status 0 when it could not be reached. */
export class PortalError extends Error {
  readonly status: number;

  constructor(status: number, word: string) {
    super(word);
    this.status = status;
  }
}

export interface PortalApi {
  openByLink(linkToken: string): Promise<Session>;
  requestCode(email: string): Promise<void>;
  verifyCode(email: string, code: string): Promise<Session>;
  /** Ends the session that is signed in now. */
  logout(): Promise<void>;
  me(): Promise<Person>;
  balances(): Promise<Balance[]>;
  tier(): Promise<TierProgress>;
  rewards(): Promise<Reward[]>;
  reward(id: string): Promise<RewardDetail>;
  /** One key is one wish: sending it again answers with what the first sending did. */
  redeem(rewardId: string, idempotencyKey: string): Promise<Redeemed>;
  redemptions(offset: number): Promise<RedemptionPage>;
  /** What came and went in one wallet, newest first; `cursor` of the page before, or null. */
  statement(walletTypeCode: string, cursor: string | null): Promise<StatementPage>;
  cards(): Promise<Card[]>;
  referral(): Promise<Referral>;
  setConsent(consent: boolean): Promise<void>;
  erase(proof: { email?: string; phone?: string; confirm_erase?: boolean }): Promise<void>;
}

const ROOT = '/service-api/public/loyalty';
const PAGE = 20;

const isUnreadable = (): undefined => undefined;

/** Unlike a lost connection, a server that never answers would be waited for without end. */
const ANSWER_MS_MAX = 30_000;

async function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  // Phones of some years ago have no `AbortSignal.timeout`.
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), ANSWER_MS_MAX);
  return work(ending.signal).finally(() => clearTimeout(timer));
}

/** The portal's endpoints. `token` is asked for at each call; `onSignedOut` hears that it is worth nothing. */
export function createApi(
  slug: string,
  { token, onSignedOut }: { token: () => string | null; onSignedOut: () => void },
  send: typeof fetch = (...request) => fetch(...request),
): PortalApi {
  async function call<T>(
    method: 'GET' | 'POST',
    path: string,
    { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
  ): Promise<T> {
    const sent = token();
    const request = {
      method,
      headers: {
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...(sent ? { 'x-client-token': sent } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    };
    const { response, answer } = await inTime(async (signal) => {
      const came = await send(`${ROOT}${path}`, { ...request, signal }).catch(() => {
        throw new PortalError(0, 'unreachable');
      });
      return { response: came, answer: await came.json().catch(isUnreadable) };
    });
    // One that cannot be read says as little as none: the line broke, or another has answered in our place.
    if (response.ok && answer === undefined) throw new PortalError(0, 'unreachable');
    if (response.ok) return answer as T;
    // An answer that comes late says nothing of a session that was opened since.
    if (response.status === 401 && sent && token() === sent) onSignedOut();
    throw new PortalError(response.status, String(answer?.error ?? response.status));
  }
  const read = async <T>(path: string): Promise<T> => (await call<{ data: T }>('GET', path)).data;
  const write = async <T>(path: string, body: object, headers: Record<string, string> = {}) =>
    (await call<{ data: T }>('POST', path, { body, headers })).data;
  const here = { workspace_slug: slug };

  return {
    openByLink: (linkToken) => write('/session', { ...here, link_token: linkToken }),
    requestCode: async (email) => void (await write('/login/request', { ...here, email })),
    verifyCode: (email, code) => write('/login/verify', { ...here, email, code }),
    logout: async () => void (await call('POST', '/logout')),
    me: () => read('/me'),
    balances: () => read('/balance'),
    tier: () => read('/tier'),
    rewards: () => read('/rewards'),
    reward: (id) => read(`/rewards/${id}`),
    redeem: (id, key) => write(`/rewards/${id}/redeem`, {}, { 'Idempotency-Key': key }),
    redemptions: (offset) => call('GET', `/redemptions?limit=${PAGE}&offset=${offset}`),
    statement: (code, cursor) => {
      const query = new URLSearchParams({ wallet_type_code: code, limit: String(PAGE) });
      if (cursor !== null) query.set('cursor', cursor);
      return call('GET', `/statement?${query}`);
    },
    cards: () => read('/passes'),
    referral: () => read('/referral'),
    setConsent: async (consent) => void (await write('/marketing-consent', { consent })),
    erase: async (proof) => void (await write('/erase', proof)),
  };
}
