import type { Client, Laurel } from '@laurel/client';

export interface Found {
  type: 'customer' | 'reward' | 'rule' | 'page';
  to: string;
  title: string;
  subtitle: string;
}

/** A person as lists name them. */
export const nameOf = (
  client: Pick<Client, 'first_name' | 'last_name' | 'email' | 'phone' | 'id'>,
): string =>
  [client.first_name, client.last_name].filter(Boolean).join(' ') ||
  client.email ||
  client.phone ||
  client.id.slice(0, 8);

const FOUND_MAX = 8;

/** Whatever goes by this name. */
export async function findEverywhere(laurel: Laurel, text: string): Promise<Found[]> {
  const has = (name: string) => name.toLowerCase().includes(text.toLowerCase());
  const [clients, rewards, rules] = await Promise.all([
    laurel.clients.search({ q: text, limit: FOUND_MAX }),
    laurel.rewards.list({ limit: 100 }),
    laurel.automations.list(),
  ]);
  return [
    ...clients.map(
      (client): Found => ({
        type: 'customer',
        to: `/customers/${client.id}`,
        title: nameOf(client),
        subtitle: client.email ?? client.phone ?? '',
      }),
    ),
    ...rewards.data
      .filter(({ name }) => has(name))
      .map(
        ({ id, name }): Found => ({
          type: 'reward',
          to: `/rewards/${id}`,
          title: name,
          subtitle: '',
        }),
      ),
    ...rules
      .filter(({ name }) => has(name))
      .map(
        ({ id, name }): Found => ({ type: 'rule', to: `/rules/${id}`, title: name, subtitle: '' }),
      ),
  ];
}
