import { type JsonObject, Refusal } from '@laurel/errors';
import type { clients as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import type { Template } from '../../domain/template/template';
import { orNoBrand } from '../template/or-no-brand';
import { parseImageSource } from './image-source';

const PASSES_MAX = 20;
const CLIENTS_MAX = 20;
const REWARDS_PER_PAGE = 100;

export type FileUser = { type: string; id: string; name: string };
type Deps = Pick<
  PassDeps,
  'clients' | 'templates' | 'passes' | 'mobileApps' | 'rewards' | 'tiers' | 'identity'
>;

/**
 * What shows a file, wherever its id or address stands; of passes and clients the first twenty.
 *
 * @param besides passes that are about to go, and whose they were
 */
export async function usersOfFile(
  deps: Deps,
  { workspaceId, fileId }: { workspaceId: string; fileId: string },
  besides: ReadonlySet<string> = new Set(),
): Promise<FileUser[]> {
  const templates = await deps.templates.list(workspaceId);
  const [clients, passes, app, rewards, { tiers }, portal, brand] = await Promise.all([
    clientsNaming(deps, { workspaceId, fileId }, templates),
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
    ...clients.filter(({ id }) => !besides.has(id)),
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

/** Whether a row has the id or the address of a picture anywhere in it. */
export const names = (row: object, source: string): boolean =>
  JSON.stringify(row).toLowerCase().includes(source.toLowerCase());

/** Those who have the file in a custom field that cards show as a picture. */
async function clientsNaming(
  { clients }: Pick<Deps, 'clients'>,
  { workspaceId: workspace_id, fileId }: { workspaceId: string; fileId: string },
  templates: readonly Template[],
): Promise<FileUser[]> {
  const sources = templates.flatMap(({ icon, logo, cover_image }) => [icon, logo, cover_image]);
  const fields = sources.flatMap((raw) => {
    const source = parseImageSource(raw ?? '');
    return source.kind === 'custom_field' ? [source.name] : [];
  });
  const found = await Promise.all(
    [...new Set(fields)].map((field) => {
      const custom_field_filters = { [field]: { operator: '_eq', value: fileId } };
      const filter = { filter_type: 'custom_field', filter_config: { custom_field_filters } };
      const request = { workspace_id, filters: [filter], limit: CLIENTS_MAX };
      return orNone(clients.PreviewSegment(request));
    }),
  );
  return found.flatMap(({ sample }) =>
    // What is refused is kept for a while, which is no place for a name.
    sample.map(({ id }) => ({ type: 'client', id, name: id })),
  );
}

/** A field of another type than text holds no picture, and asking for one is refused. */
async function orNone(asked: Promise<Pick<api.SegmentPreview, 'sample'>>) {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refusal && error.httpStatus === 400) return { sample: [] };
    throw error;
  }
}

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
