import type { Json, JsonObject } from '@laurel/errors';
import type { passes as api, tiers } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import { omitted, withoutHidden } from '../../domain/mobile/hiding';
import { type AppConfig, reaches } from '../../domain/mobile/mobile-app';
import { refusals } from '../../refusals';
import { findPassByBarcode, listPassesOfClients } from '../pass/read-passes';
import { openApp, type PassDeps, reachPass } from './open-app';

type ShowDeps = PassDeps & Pick<MobileDeps, 'ledger' | 'tiers'>;

/** Of how many people passes are looked for: most searches are settled by the first few. */
const PEOPLE_LOOKED_AT = [100, 1_000];

/** Passes within reach whose client's name, address or phone contains the text; the newest clients first. */
export async function searchMobilePasses(
  deps: PassDeps,
  request: api.SearchMobilePassesRequest,
): Promise<api.PassList> {
  const { workspace_id, q, limit } = request;
  const config = await openApp(deps, request);
  let found: api.Pass[] = [];
  for (const people of PEOPLE_LOOKED_AT) {
    const { clients } = await deps.clients.SearchClients({ workspace_id, q, limit: people });
    const client_ids = clients.map(({ id }) => id);
    const { passes } = await listPassesOfClients(deps, { workspace_id, client_ids });
    found = clients.flatMap((client) =>
      passes
        .filter((pass) => pass.client_id === client.id && reaches(config, pass.project_id))
        .map((pass) => shownPass(config, { ...pass, client })),
    );
    if (found.length >= limit || clients.length < people) break;
  }
  return { passes: found.slice(0, limit) };
}

/** The pass behind a barcode, as staff see it. */
export async function scanMobilePass(
  deps: ShowDeps,
  request: api.ScanMobilePassRequest,
): Promise<api.MobilePass> {
  const { workspace_id, role_id, barcode_value } = request;
  const config = await openApp(deps, request);
  const { id, project_id } = await findPassByBarcode(deps, { workspace_id, barcode_value });
  if (!reaches(config, project_id)) throw refusals.passNotFound();
  return getMobilePass(deps, { workspace_id, role_id, pass_id: id });
}

/** A pass with its client, and with where that client stands. */
export async function getMobilePass(
  deps: ShowDeps,
  request: api.MobilePassRequest,
): Promise<api.MobilePass> {
  const { pass, config } = await reachPass(deps, request);
  const { tier, wallets } = await standingOf(deps, pass);
  return { pass: shownPass(config, pass), wallets, ...(tier?.tier ? { tier: tier.tier } : {}) };
}

export async function getMobilePassLoyalty(
  deps: ShowDeps,
  request: api.MobilePassRequest,
): Promise<api.MobilePassLoyalty> {
  const { pass } = await reachPass(deps, request);
  const { tier, wallets } = await standingOf(deps, pass);
  return {
    wallets,
    ...(tier?.tier ? { tier: tier.tier } : {}),
    ...(tier?.progress ? { progress: tier.progress } : {}),
  };
}

/** Balances and tier of the pass's client; nothing for a pass without one. */
async function standingOf(
  { ledger, tiers: peer }: Pick<MobileDeps, 'ledger' | 'tiers'>,
  { workspace_id, client_id }: api.Pass,
): Promise<{ wallets: api.MobilePass['wallets']; tier: tiers.ClientTier | null }> {
  if (!client_id) return { wallets: [], tier: null };
  const [{ wallets }, tier] = await Promise.all([
    ledger.GetBalances({ workspace_id, client_id }),
    peer.GetClientTier({ workspace_id, client_id }),
  ]);
  return { wallets, tier };
}

/** A pass without what the app's config hides. */
function shownPass(config: AppConfig | null, pass: api.Pass): api.Pass {
  const hidden = config?.hidden_fields;
  return {
    ...pass,
    pass_fields: omitted(hidden, (pass.pass_fields ?? {}) as JsonObject) as Json,
    ...(pass.client ? { client: withoutHidden(hidden, pass.client) } : {}),
  };
}
