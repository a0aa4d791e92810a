import type { ConsumerSpec } from '@laurel/backend';
import type { ClientsMerged, CloudEvent, PointsEarned, TransactionRecorded } from '@laurel/events';
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
      bindings: ['clients.deleted', 'clients.anonymized', 'clients.merged'],
      handle: (event) => followClient(deps, event),
    },
    {
      queue: 'ledger.transactions',
      bindings: ['transaction.refund'],
      handle: (event) => followRefund(deps, event as CloudEvent<string, TransactionRecorded>),
    },
    {
      queue: 'ledger.late-earns',
      bindings: ['loyalty.points_earned'],
      handle: (event) => followEarn(deps, event as CloudEvent<string, PointsEarned>),
    },
    {
      queue: 'ledger.workspaces',
      bindings: ['identity.workspace_deleted'],
      handle: (event) => removeWorkspace(deps, event.workspaceid!),
    },
  ];
}

/** The clients service asks for these effects itself; the event catches what came in between. */
async function followClient(deps: Deps, event: CloudEvent): Promise<void> {
  const workspaceId = event.workspaceid!;
  if (event.type === 'clients.merged') {
    const { source_client_id, target_client_id } = event.data as ClientsMerged;
    deps.standings.gone(source_client_id, null);
    await mergeClientWallets(deps, {
      workspace_id: workspaceId,
      source_client_id,
      target_client_id,
    });
    return;
  }
  const { client_id } = event.data as { client_id: string };
  const client = { workspace_id: workspaceId, client_id };
  const anonymized = event.type === 'clients.anonymized';
  deps.standings.gone(client_id, anonymized ? 'anonymized' : null);
  await closeClientWallets(deps, { ...client, anonymized });
  await scrubClient(deps, client);
  const ending = anonymized ? 'anonymized' : 'deleted';
  await erasePerson(deps, { workspaceId, clientId: client_id, ending });
}
