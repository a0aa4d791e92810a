import { invalidField, type JsonObject } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { commitOnce, isDuplicateKey, repeatable } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { canBear } from '../../domain/pass/barcode';
import { expiryOf, newPass, type Pass } from '../../domain/pass/pass';
import { randomBarcode } from '../../domain/pass/random-barcode';
import type { Template } from '../../domain/template/template';
import { refusals } from '../../refusals';
import { authorship } from './author';
import type { PassOfClient } from './gather-facts';
import { passEvent } from './pass-events';
import { refusingTakenPlaces } from './refusing-taken-places';
import { mayFill, patternBarcode } from './settle-barcode';
import { viewPass } from './view-passes';
import { enterTemplate } from './write-pass';
import { takeFromVisitor, yields } from './yield-barcode';

interface Making {
  /** To whom a form hands it: a sender who has not shown to be its client, or one who has just proven the address. */
  to?: 'visitor' | 'proven';
}

/** As `makePass`, shown as the API does. */
export async function createPass(
  deps: PassDeps,
  request: api.CreatePassRequest,
  making: Making = {},
): Promise<api.Pass> {
  return viewPass(deps, await makePass(deps, request, making));
}

/** Creates a pass on a template of the project. One per client and template; a barcode value is of one pass only. */
export function makePass(
  deps: PassDeps,
  request: api.CreatePassRequest,
  making: Making = {},
): Promise<Pass> {
  // A repeat hears of the pass that there is, also where its client or template is gone since.
  return repeatable(deps.connection, () => create(deps, request, making));
}

async function create(
  deps: PassDeps,
  request: api.CreatePassRequest,
  { to }: Making,
): Promise<Pass> {
  const {
    workspace_id: workspaceId,
    project_id: projectId,
    pass_template_id: templateId,
  } = request;
  const [template] = await Promise.all([
    deps.templates.find(workspaceId, templateId),
    requireClient(deps, workspaceId, request.client_id),
  ]);
  const fields = {
    id: newId(),
    workspace_id: workspaceId,
    project_id: projectId,
    pass_template_id: templateId,
    client_id: request.client_id ?? null,
    pass_fields: (request.pass_fields ?? {}) as JsonObject,
    handed_out: to === 'visitor',
    safe_generation: to === 'proven' ? 0 : null,
  };
  const given = givenBarcode(request, template);
  const spare = randomBarcode();
  const made = (barcode_value: string) => {
    const barcode = { barcode_value, barcode_given: given, barcode_spare: spare };
    return insertPass(deps, newPass({ ...fields, ...barcode }, authorship(deps)));
  };
  const pattern = given === null ? await freePattern(deps, fields, template) : null;
  return refusingTakenPlaces(() =>
    made(given ?? pattern ?? spare).catch((error: unknown) => {
      // Another pass was there first with what the pattern comes to.
      if (pattern !== null && isDuplicateKey(error, 'barcode_value')) return made(spare);
      throw error;
    }),
  );
}

/** The value that was asked for; null where none was. */
function givenBarcode(
  { barcode_value: value }: api.CreatePassRequest,
  template: Template | null,
): string | null {
  if (value === undefined) return null;
  const type = template?.barcode_type ?? 'qr';
  if (canBear(type, value)) return value;
  throw invalidField('barcode_value', `a ${type} barcode cannot hold barcode_value`);
}

async function freePattern(
  deps: PassDeps,
  subject: PassOfClient & Pick<Pass, 'handed_out'>,
  template: Template | null,
) {
  const value = template && (await patternBarcode(deps, template, subject));
  if (template === null || value === null) return null;
  const { workspace_id } = subject;
  const holder = await deps.passes.findByBarcode(workspace_id, value);
  if (holder && !(await yields(deps, holder, { ...subject, link_generation: 0 }))) return null;
  return (await mayFill(deps, { workspace_id, pattern: template.barcode_id }, value))
    ? value
    : null;
}

function insertPass(deps: PassDeps, pass: Pass): Promise<Pass> {
  const { workspace_id: workspaceId, project_id: projectId } = pass;
  return commitOnce(deps.connection, async (session) => {
    if (!(await deps.projects.find(workspaceId, projectId, session)))
      throw refusals.unknownProject({ field: 'project_id' });
    const named = { workspaceId, templateId: pass.pass_template_id, field: 'pass_template_id' };
    const template = await enterTemplate(deps, named, session);
    if (template.project_id !== projectId)
      throw refusals.templateOfOtherProject({ field: 'pass_template_id' });
    const made = { ...pass, expires_at: expiryOf(template, pass.date_created) };
    // What the creator names themselves is refused as long as any pass has it (part 4, section 12).
    if (made.barcode_given === null)
      await takeFromVisitor(deps, { claimant: made, value: made.barcode_value }, session);
    await deps.passes.insert(made, session);
    await deps.formerBarcodes.release(workspaceId, pass.barcode_value, session);
    await deps.passUpdates.insert(
      workspaceId,
      { passId: pass.id, now: pass.date_created },
      session,
    );
    await deps.outbox.append([passEvent('passes.pass_created', pass)], session);
    return made;
  });
}

/** Refuses a client that the workspace does not have, or has only as figures: their passes have ended. */
export async function requireClient(
  { clients }: Pick<PassDeps, 'clients'>,
  workspaceId: string,
  clientId: string | null | undefined,
): Promise<void> {
  if (clientId === null || clientId === undefined) return;
  const found = await clients.GetClients({ workspace_id: workspaceId, ids: [clientId] });
  const [client] = found.clients;
  if (!client) throw refusals.unknownClient({ field: 'client_id' });
  if (client.status === 'anonymized') throw refusals.clientAnonymized({ field: 'client_id' });
}
