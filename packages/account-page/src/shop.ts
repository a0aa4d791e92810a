import type { PageSession } from '@laurel/page-kit';
import { Refused } from '@laurel/page-kit/http';
import { newKey } from '@laurel/page-kit/new-key';
import type { Account } from './context';

export interface Shop {
  id: string;
  name: string;
  slug: string;
  role: 'admin' | 'member';
}
export interface Currency {
  id: string;
  code: string;
  name: string;
  unit_singular_name: string | null;
  unit_plural_name: string | null;
}
/** As far as the first run makes and changes them. */
export interface Rule {
  id: string;
  effects: { amount_expression?: string | null }[];
}
export interface Reward {
  id: string;
  name: string;
  cost_in_points: number;
}
export interface Settings {
  default_locale: string;
  default_currency: string;
  timezone: string;
}
export interface Form {
  id: string;
  name: string;
  public_url: string | null;
  pass_template_id: string;
}

/** What a shop has already: what is missing decides where its first run goes on. */
export interface Standing {
  currency: Currency | null;
  rule: Rule | null;
  reward: Reward | null;
  form: Form | null;
  /** The language is what its customers speak. */
  settings: Settings;
  /** What customers call the shop. */
  calledName: string;
  /** Whether customers have a page of their own. */
  hasPortal: boolean;
}

type Call = PageSession<Account>['call'];

const wsPath = (shop: Pick<Shop, 'id'>, path: string) => `/service-api/workspace/${shop.id}${path}`;

/** A change of a shop. */
interface Write {
  method: 'POST' | 'PATCH' | 'PUT';
  path: string;
  body: object;
}

/** The operations that these pages work with. */
export function createShopApi({ call }: { call: Call }) {
  const read = async <T>(shop: Pick<Shop, 'id'>, path: string): Promise<T> =>
    (await call<{ data: T }>('GET', wsPath(shop, path))).data;
  const once = createWishes();
  return {
    shops: async (): Promise<Shop[]> =>
      (await call<{ data: Shop[] }>('GET', '/service-api/workspaces')).data,

    async standing(shop: Shop): Promise<Standing> {
      const [currencies, rules, rewards, forms, settings, brand, portal] = await Promise.all([
        read<(Currency & { is_default: boolean })[]>(shop, '/wallet-types?active=true'),
        read<Rule[]>(shop, '/automations'),
        read<Reward[]>(shop, '/rewards?limit=1'),
        read<Form[]>(shop, '/distributions'),
        read<Settings>(shop, '/settings'),
        read<{ name: string | null }>(shop, '/brand'),
        read<{ is_enabled: boolean }>(shop, '/portal-config'),
      ]);
      return {
        currency: currencies.find(({ is_default }) => is_default) ?? currencies[0] ?? null,
        rule: rules[0] ?? null,
        reward: rewards[0] ?? null,
        form: forms.find(({ public_url }) => public_url !== null) ?? null,
        settings,
        calledName: brand.name ?? shop.name,
        hasPortal: portal.is_enabled,
      };
    },

    read,
    /**
     * Makes something that is wanted once: as often as the same is sent, it is one wish.
     *
     * @param path of what is made; a shop is made without a shop
     */
    make: <T>(shop: Pick<Shop, 'id'> | null, path: string, body: object): Promise<T> =>
      once(path, body, async (key) => {
        const whole = shop ? wsPath(shop, path) : path;
        const headers = { 'Idempotency-Key': key };
        return (await call<{ data: T }>('POST', whole, { body, headers })).data;
      }),
    /** @param key of the wish: sent again, it does nothing twice */
    async write<T>(
      shop: Pick<Shop, 'id'>,
      { method, path, body }: Write,
      key: string = newKey(),
    ): Promise<T> {
      const headers: Record<string, string> = method === 'POST' ? { 'Idempotency-Key': key } : {};
      return (await call<{ data: T }>(method, wsPath(shop, path), { body, headers })).data;
    },
    /** For the one operation whose answer is not wrapped. */
    writeBare: <T>(shop: Pick<Shop, 'id'>, path: string, body: object): Promise<T> =>
      call<T>('POST', wsPath(shop, path), { body }),
  };
}

/**
 * Gives each wish its key: the same wish keeps it, so that it does nothing twice; another one, or one that was refused for
 * good, gets a new one, as a key stands for what was first sent under it.
 */
function createWishes() {
  const kept = new Map<string, { wanted: string; key: string }>();
  return async <T>(name: string, wish: object, work: (key: string) => Promise<T>): Promise<T> => {
    const wanted = JSON.stringify(wish);
    const known = kept.get(name);
    const key = known?.wanted === wanted ? known.key : newKey();
    kept.set(name, { wanted, key });
    try {
      return await work(key);
    } catch (error) {
      if (error instanceof Refused && !error.isOpen) kept.delete(name);
      throw error;
    }
  };
}

export type ShopApi = ReturnType<typeof createShopApi>;
