import { type ConsumerSpec, erasureOf } from '@laurel/backend';
import { type EventOf, each } from '@laurel/events';
import { erasePerson } from '@laurel/mongo';
import type { Deps } from './deps';
import { closeClientWallets } from './use-cases/close-client-wallets';
import { followRefund } from './use-cases/follow-refund';
import { mergeClientWallets } from './use-cases/merge-client-wallets';
import { removeWorkspace } from './use-cases/remove-workspace';
import { scrubClient } from './use-cases/scrub-client';
import { followEarn } from './use-cases/take-late-earn';

/**
 * What the ledger learns from others. The log makes each effect happen once by the operations' own names,
 * so that nothing is lost when a handler dies halfway and runs again.
 */
export function consumers(deps: Deps): ConsumerSpec[] {
  return [
    {
      queue: 'ledger.clients',
      handlers: {
        ...each(['clients.deleted', 'clients.anonymized'], (event) => followEnding(deps, event)),
        'clients.merged': (event) => followMerge(deps, event),
      },
    },
    {
      queue: 'ledger.transactions',
      handlers: { 'transaction.refund': (event) => followRefund(deps, event) },
    },
    {
      queue: 'ledger.late-earns',
      handlers: { 'loyalty.points_earned': (event) => followEarn(deps, event) },
    },
    {
      queue: 'ledger.workspaces',
      handlers: {
        'identity.workspace_deleted': ({ workspaceid }) => removeWorkspace(deps, workspaceid),
      },
    },
  ];
}

// The clients service asks for these effects itself; the events catch what came in between.

async function followMerge(
  deps: Deps,
  { workspaceid, data }: EventOf<'clients.merged'>,
): Promise<void> {
  const { source_client_id, target_client_id } = data;
  deps.standings.gone(source_client_id, null);
  await mergeClientWallets(deps, { workspace_id: workspaceid, source_client_id, target_client_id });
}

async function followEnding(
  deps: Deps,
  event: EventOf<'clients.deleted' | 'clients.anonymized'>,
): Promise<void> {
  const erasure = erasureOf(event);
  const client = { workspace_id: erasure.workspaceId, client_id: erasure.clientId };
  const anonymized = erasure.ending === 'anonymized';
  deps.standings.gone(erasure.clientId, anonymized ? 'anonymized' : null);
  await closeClientWallets(deps, { ...client, anonymized });
  await scrubClient(deps, client);
  await erasePerson(deps, erasure);
}
