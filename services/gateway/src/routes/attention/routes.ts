import type { common } from '@laurel/rpc';
import { data, get, member, partsOf, type Route } from '../../routing';
import * as schema from './schema';

/** What somebody has to look at (docs/adr/0019). */
export const attentionRoutes: Route[] = [
  get(':ws/attention', {
    stack: member(),
    tag: 'Workspaces',
    summary: 'List what needs attention: what failed in the last 14 days, and what is about to',
    description: 'Errors first, then the newest. Empty when all is well.',
    reply: schema.attention,
    meta: schema.meta,
    handle: async ({ rpc, workspaceId: workspace_id }) => {
      const { parts, missing } = await partsOf({
        automations: rpc.automations.ListAttention({ workspace_id }),
        campaigns: rpc.campaigns.ListAttention({ workspace_id }),
        clients: rpc.clients.ListAttention({ workspace_id }),
        integrations: rpc.integrations.ListAttention({ workspace_id }),
        passes: rpc.passes.ListAttention({ workspace_id }),
        rewards: rpc.rewards.ListAttention({ workspace_id }),
      });
      const items = Object.values(parts).flatMap((part) => part?.items ?? []);
      return data(items.sort(byUrgency).map(present), { missing });
    },
  }),
];

function byUrgency(a: common.Attention, b: common.Attention): number {
  if (a.severity !== b.severity) return a.severity === 'error' ? -1 : 1;
  return a.since < b.since ? 1 : -1;
}

const present = ({ subject_type, subject_id, subject_name, ...attention }: common.Attention) => ({
  ...attention,
  subject: { type: subject_type, id: subject_id, name: subject_name },
});
