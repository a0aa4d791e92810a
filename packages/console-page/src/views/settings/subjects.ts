import type { Laurel } from '@laurel/client';
import { readShown } from '../../api/read-shown';
import { useAsk } from '../../parts/ask';

interface Named {
  id: string;
  name: string | null;
}

interface Kind {
  /** Where it is looked at. */
  at?: (id: string) => string;
  names?: (laurel: Laurel, ids: readonly string[]) => Promise<readonly Named[]>;
}

/** What a change may be of, by the platform's word for it. */
const KINDS: Readonly<Record<string, Kind>> = {
  automation: {
    at: (id) => `/rules/${id}`,
    names: async (laurel) => (await laurel.automations.list()) as { id: string; name: string }[],
  },
  reward: {
    at: (id) => `/rewards/${id}`,
    names: ({ rewards: { list, get } }, ids) => readShown(ids, { list, get }),
  },
  campaign: {
    at: (id) => `/campaigns/${id}`,
    names: async (laurel) => (await laurel.campaigns.list()).data,
  },
  segment: { at: (id) => `/segments/${id}`, names: async (laurel) => laurel.segments.list() },
  'pass-template': {
    at: (id) => `/cards/${id}`,
    names: async (laurel) => laurel.passTemplates.list(),
  },
  distribution: {
    at: (id) => `/forms/${id}`,
    names: async (laurel) => laurel.distributions.list(),
  },
  webhook: {
    at: (id) => `/connections/webhooks/${id}`,
    names: async ({ webhooks: { list, get } }, ids) =>
      (await readShown(ids, { list, get })).map(({ id, url }) => ({ id, name: url })),
  },
  tier: { names: async (laurel) => laurel.tiers.list() },
  'wallet-type': { names: async (laurel) => laurel.walletTypes.list() },
  'mobile-app-action': {
    names: async (laurel) => (await laurel.staffAppConfig.get())?.actions ?? [],
  },
  'mobile-app-user': {
    names: async ({ staffUsers: { list, get } }, ids) =>
      (await readShown(ids, { list, get })).map((user) => ({
        id: user.id,
        name:
          [user.first_name, user.last_name].filter(Boolean).join(' ') || (user.email ?? user.phone),
      })),
  },
};

interface Changed {
  entity: string;
  entity_id: string | null;
}

/** What is shown of each kind that has names; equal for equal rows, in any order. */
function idsByKind(rows: readonly Changed[]): (readonly [string, string[]])[] {
  const kinds = [...new Set(rows.map(({ entity }) => entity))]
    .filter((entity) => KINDS[entity]?.names)
    .sort();
  return kinds.map((kind) => {
    const ids = rows.flatMap(({ entity, entity_id }) => (entity === kind && entity_id) || []);
    return [kind, [...new Set(ids)].sort()] as const;
  });
}

/** Names of what was changed, as far as it is still there: asked for by kind, and only for what is shown. */
export function useSubjects(rows: readonly Changed[]) {
  const shown = idsByKind(rows);
  const found = useAsk(
    ['names', 'of changes', shown],
    async (laurel) => {
      const lists = await Promise.all(
        // What this person may not see, or what is away, is listed without its name.
        shown.map(([kind, ids]) => KINDS[kind]!.names!(laurel, ids).catch(() => [])),
      );
      return new Map(lists.flat().map(({ id, name }) => [id, name]));
    },
    { isWanted: shown.length > 0 },
  );
  return ({ entity, entity_id: id }: Changed): { name: string | null; to: string | null } => {
    const name = (id && found.data?.get(id)) || null;
    return { name, to: name && id ? (KINDS[entity]?.at?.(id) ?? null) : null };
  };
}
