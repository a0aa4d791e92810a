import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';
import { type PassMetrics, toPassReply } from './wire';

type ViewDeps = Pick<PassDeps, 'links' | 'clients'>;

/** Passes as the API shows them, with the figures of their clients. All are of one workspace. */
export async function viewPasses(deps: ViewDeps, passes: readonly Pass[]): Promise<api.Pass[]> {
  const clientIds = passes.map((pass) => pass.client_id).filter((id) => id !== null);
  const metrics = await metricsOf(deps, passes[0]?.workspace_id, [...new Set(clientIds)]);
  return passes.map((pass) => toPassReply(deps.links, pass, metrics.get(pass.client_id ?? '')));
}

export async function viewPass(deps: ViewDeps, pass: Pass): Promise<api.Pass> {
  const [view] = await viewPasses(deps, [pass]);
  return view!;
}

async function metricsOf({ clients }: ViewDeps, workspaceId: string | undefined, ids: string[]) {
  if (workspaceId === undefined || ids.length === 0) return new Map<string, PassMetrics>();
  const request = { workspace_id: workspaceId, client_ids: ids };
  const { metrics } = await clients.GetTransactionMetrics(request);
  return new Map(
    metrics.map(({ client_id, transaction_count, total_spending }) => [
      client_id,
      { transaction_count, total_spending },
    ]),
  );
}
