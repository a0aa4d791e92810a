import { SEARCH_TYPES } from '@laurel/contract';
import type { common } from '@laurel/rpc';
import { data, get, member, partsOf, type Route } from '../../routing';
import * as schema from './schema';

/** One search over everything (docs/adr/0019). */
export const searchRoutes: Route[] = [
  get(':ws/search', {
    stack: member(),
    tag: 'Workspaces',
    summary: 'Find anything by id, code, address or name',
    description:
      'What matches as a whole (an id, a barcode, a code) comes first; then customers, then the rest in the order of the types.',
    query: schema.query,
    reply: schema.hits,
    meta: schema.meta,
    handle: async ({
      rpc,
      workspaceId: workspace_id,
      query: { q, limit, types = SEARCH_TYPES },
    }) => {
      const request = { workspace_id, q, limit, types: [...types] };
      const { parts, missing } = await partsOf({
        automations: rpc.automations.Search(request),
        campaigns: rpc.campaigns.Search(request),
        clients: rpc.clients.Search(request),
        integrations: rpc.integrations.Search(request),
        ledger: rpc.ledger.Search(request),
        passes: rpc.passes.Search(request),
        rewards: rpc.rewards.Search(request),
      });
      const hits = Object.values(parts).flatMap((part) => part?.hits ?? []);
      return data(hits.sort(byRank).slice(0, limit).map(present), { missing });
    },
  }),
];

const WHOLE = ['id', 'external_id', 'barcode', 'code'];

/** Order within a type is its service's own: sorting is stable. */
function byRank(a: common.Hit, b: common.Hit): number {
  return rankOf(a) - rankOf(b);
}

function rankOf({ type, matched }: common.Hit): number {
  const place = (SEARCH_TYPES as readonly string[]).indexOf(type);
  return WHOLE.includes(matched) ? place : SEARCH_TYPES.length + place;
}

const present = ({ subtitle, ...hit }: common.Hit) => ({ ...hit, subtitle: subtitle ?? null });
