import { data, get, member, partsOf, type Route } from '../../routing';
import { presentMe } from './present';
import * as schema from './schema';

/** What a page of the platform starts with (docs/adr/0019). */
export const meRoutes: Route[] = [
  get(':ws/me', {
    stack: member(),
    tag: 'Workspaces',
    summary: 'Read who you are in a workspace, and how far it is set up',
    description: 'One call that a page starts with: account, permissions, settings, first steps.',
    reply: schema.me,
    handle: async ({ rpc, workspaceId, caller }) => {
      const workspace_id = workspaceId;
      const setup = partsOf({
        currencies: rpc.ledger.ListWalletTypes({ workspace_id, active: true }),
        rules: rpc.automations.GetSetup({ workspace_id }),
        rewards: rpc.rewards.ListRewards({ workspace_id, limit: 1, offset: 0 }),
        cards: rpc.passes.GetSetup({ workspace_id }),
      });
      const [me, { parts }] = await Promise.all([
        rpc.identity.GetMe({ workspace_id, user_id: caller.userId! }),
        setup,
      ]);
      return data(presentMe(me, caller.membership!, parts));
    },
  }),
];
