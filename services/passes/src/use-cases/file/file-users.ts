import type { JsonObject } from '@laurel/errors';
import type { PassDeps } from '../../deps';
import { orNoBrand } from '../template/or-no-brand';

const PASSES_MAX = 20;
const REWARDS_PER_PAGE = 100;

export type FileUser = { type: string; id: string; name: string };
type Deps = Pick<
  PassDeps,
  'templates' | 'passes' | 'mobileApps' | 'rewards' | 'tiers' | 'identity'
>;

/**
 * What shows a file, wherever its id or address stands; of passes the first twenty.
 *
 * @param besides passes that are about to go
 */
export async function usersOfFile(
  deps: Deps,
  { workspaceId, fileId }: { workspaceId: string; fileId: string },
  besides: ReadonlySet<string> = new Set(),
): Promise<FileUser[]> {
  const [templates, passes, app, rewards, { tiers }, portal, brand] = await Promise.all([
    deps.templates.list(workspaceId),
    deps.passes.naming(workspaceId, fileId, PASSES_MAX + besides.size),
    deps.mobileApps.find(workspaceId),
    allRewards(deps, workspaceId),
    deps.tiers.ListTiers({ workspace_id: workspaceId }),
    deps.identity.GetPortalConfig({ workspace_id: workspaceId }),
    orNoBrand(deps.identity.GetBrand({ workspace_id: workspaceId })),
  ]);
  const named = (type: string, rows: readonly { id: string; name: string }[]) =>
    rows.filter((row) => names(row, fileId)).map(({ id, name }) => ({ type, id, name }));
  const { config } = portal;
  return [
    ...named('pass_template', templates),
    ...passes
      .filter(({ id }) => !besides.has(id))
      .map(({ id, barcode_value }) => ({ type: 'pass', id, name: barcode_value })),
    ...(app.config && names(app.config, fileId)
      ? [{ type: 'mobile_app', id: app.config.id, name: config?.workspace_name ?? '' }]
      : []),
    ...named('reward', rewards),
    ...named('tier', tiers),
    ...(names(brand, fileId)
      ? [{ type: 'brand', id: workspaceId, name: config?.workspace_name ?? '' }]
      : []),
    ...(config && names(config, fileId) && !names(brand, fileId)
      ? [{ type: 'portal_config', id: workspaceId, name: config.workspace_name }]
      : []),
  ];
}

const names = (row: object, fileId: string): boolean =>
  JSON.stringify(row).toLowerCase().includes(fileId);

async function allRewards({ rewards }: Pick<Deps, 'rewards'>, workspace_id: string) {
  const all: { id: string; name: string }[] = [];
  for (;;) {
    const request = { workspace_id, limit: REWARDS_PER_PAGE, offset: all.length };
    const page = await rewards.ListRewards(request);
    all.push(...page.rewards);
    if (page.rewards.length < REWARDS_PER_PAGE) return all;
  }
}

/** The ids of files that the own fields of a pass may name. */
export function fileIdsIn(passFields: JsonObject): string[] {
  const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  return [...new Set(JSON.stringify(passFields).toLowerCase().match(id) ?? [])];
}
