import type { Json, JsonObject } from '@laurel/errors';
import type { passes as api, tiers } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import { omitted, openNotification, withoutHidden } from '../../domain/mobile/hiding';
import { type AppConfig, reaches } from '../../domain/mobile/mobile-app';
import { refusals } from '../../refusals';
import { findPassByBarcode, listPassesOfClients } from '../pass/read-passes';
import { mayBeFoundBy } from './found-by';
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
    const known = (await deps.clients.SearchClients({ workspace_id, q, limit: people })).clients;
    const clients = known.filter((client) => mayBeFoundBy(config?.hidden_fields, client, q));
    const client_ids = clients.map(({ id }) => id);
    const { passes } = await listPassesOfClients(deps, { workspace_id, client_ids });
    found = clients.flatMap((client) =>
      passes
        .filter((pass) => pass.client_id === client.id && reaches(config, pass.project_id))
        .map((pass) => ({ ...pass, client })),
    );
    if (found.length >= limit || known.length < people) break;
  }
  return { passes: await shownPasses(deps, config, found.slice(0, limit)) };
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
  const [{ tier, wallets }, [shown]] = await Promise.all([
    standingOf(deps, pass),
    shownPasses(deps, config, [pass]),
  ]);
  return { pass: shown!, wallets, ...(tier?.tier ? { tier: tier.tier } : {}) };
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

/** Passes of one workspace without what the app's config hides. */
async function shownPasses(
  { passes: rows }: Pick<MobileDeps, 'passes'>,
  config: AppConfig | null,
  passes: readonly api.Pass[],
): Promise<api.Pass[]> {
  const hidden = config?.hidden_fields;
  if (!hidden || hidden.length === 0) return [...passes];
  const [first] = passes;
  // What filled a text is no part of the message of a pass.
  const kept =
    first &&
    (await rows.findMany(
      first.workspace_id,
      passes.map(({ id }) => id),
    ));
  return passes.map((pass) => {
    const row = kept?.get(pass.id);
    return {
      ...pass,
      notification: row ? openNotification(hidden, row) : null,
      pass_fields: omitted(hidden, (pass.pass_fields ?? {}) as JsonObject) as Json,
      ...(pass.client ? { client: withoutHidden(hidden, pass.client) } : {}),
    };
  });
}
