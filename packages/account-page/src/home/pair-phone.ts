import type { User } from '../context';
import type { Shop, ShopApi } from '../shop';

export interface Pairing {
  identifier: string;
  code: string;
  expiresAt: string;
}

interface MobileUser {
  id: string;
  email: string | null;
  phone: string | null;
  linked_user_id: string | null;
}
interface AppConfig {
  is_enabled: boolean;
  actions: { id: string; action_type: string }[];
}

/** A shop, and how it is asked. */
interface ShopAt {
  api: ShopApi;
  shop: Shop;
}
/** What the till's action and its field are called, in a locale: the shop's, for its staff read them. */
type TillWords = (locale: string) => Promise<{ purchase: string; amount: string }>;

/**
 * A pairing code for the signed-in user. What the till lacks is made first: its config, an action that records a
 * purchase, the person as one of its users.
 */
export async function pairPhone(
  at: ShopAt,
  { user, words }: { user: User; words: TillWords },
  key: string,
): Promise<Pairing> {
  await furnishTill(at, words, key);
  const { api, shop } = at;
  const { id, email, phone } = await ownMobileUser(at, user);
  const sent = await api.writeBare<{ code: string; expires_at: string }>(
    shop,
    `/mobile-app-users/${id}/send-pairing-code`,
    { delivery_method: 'none' },
  );
  return { identifier: email ?? phone ?? '', code: sent.code, expiresAt: sent.expires_at };
}

async function furnishTill({ api, shop }: ShopAt, words: TillWords, key: string): Promise<void> {
  const found = await api.read<AppConfig | null>(shop, '/mobile-app-config');
  const config =
    found ??
    (await api.write<AppConfig>(
      shop,
      { method: 'POST', path: '/mobile-app-config', body: { is_enabled: true } },
      key,
    ));
  if (!config.is_enabled)
    await api.write(shop, {
      method: 'PATCH',
      path: '/mobile-app-config',
      body: { is_enabled: true },
    });
  if (config.actions.some(({ action_type }) => action_type === 'add_transaction')) return;
  const settings = await api.read<{ default_locale: string }>(shop, '/settings');
  const { purchase, amount } = await words(settings.default_locale);
  const { id } = await api.write<{ id: string }>(shop, {
    method: 'POST',
    path: '/mobile-app-config/actions',
    body: {
      name: purchase,
      action_type: 'add_transaction',
      form_fields: [{ name: 'amount', label: amount, type: 'number', required: true }],
    },
  });
  // What staff do a hundred times a day comes first.
  const action_ids = [id, ...config.actions.map((action) => action.id)];
  await api.write(shop, {
    method: 'POST',
    path: '/mobile-app-config/actions/reorder',
    body: { action_ids },
  });
}

async function ownMobileUser({ api, shop }: ShopAt, user: User): Promise<MobileUser> {
  const search = encodeURIComponent(user.email);
  const found = await api.read<MobileUser[]>(shop, `/mobile-app-users?search=${search}`);
  const own =
    found.find(({ linked_user_id }) => linked_user_id === user.id) ??
    found.find(({ email }) => email?.toLowerCase() === user.email.toLowerCase());
  return (
    own ??
    api.write(shop, {
      method: 'POST',
      path: '/mobile-app-users/from-workspace-user',
      body: { workspace_user_id: user.id },
    })
  );
}
