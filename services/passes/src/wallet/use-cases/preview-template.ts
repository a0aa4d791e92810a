import type { Json } from '@laurel/errors';
import type { passes as api } from '@laurel/rpc';
import type { Template } from '../../core/domain/template';
import { patternBarcode } from '../../core/use-cases/settle-barcode';
import { refusals } from '../../refusals';
import type { WalletsDeps } from '../deps';
import { toApplePass } from '../domain/apple-pass';
import { factsNeeded, type PassView, viewPass } from '../domain/view';
import { drawCard } from '../draw/card';
import { type DrawnPass, gatherCard, sampleCard } from '../facts';
import { googlePassOf } from '../google/draw';
import { appleIssue, loadPictures } from '../render';

/** Stands in for what only a pass has. */
const PREVIEW_ID = '00000000-0000-7000-8000-000000000000';
const PREVIEW_BARCODE = 'PREVIEW';

/** A pass on the template as it would look: of a client, or of somebody made up. */
export async function previewTemplate(
  deps: WalletsDeps,
  { workspace_id: workspaceId, template_id, client_id, platform, format }: api.PreviewRequest,
): Promise<api.Preview> {
  const template = await deps.templates.find(workspaceId, template_id);
  if (!template) throw refusals.passTemplateNotFound();
  const pass = await shownPass(deps, template, client_id);
  const view = await viewOf(deps, template, pass);
  if (format === 'png') return { png: await picture(deps, view, platform, workspaceId) };
  const drawn = platform === 'apple' ? applePass : googlePass;
  return { json: (await drawn(deps, template, view, workspaceId)) as Json };
}

/** The client's own pass on the template where there is one. */
async function shownPass(
  deps: WalletsDeps,
  template: Template,
  clientId: string | undefined,
): Promise<DrawnPass> {
  const { workspace_id } = template;
  const nobody = { id: PREVIEW_ID, workspace_id, client_id: null, pass_fields: {} };
  const valid = { status: 'active' as const, expires_at: null };
  const made = { ...nobody, ...valid, barcode_value: PREVIEW_BARCODE, notification: null };
  if (clientId === undefined) return made;
  const found = await deps.clients.GetClients({ workspace_id, ids: [clientId] });
  if (found.clients.length === 0) throw refusals.unknownClient({ field: 'client_id' });
  const passes = await deps.passes.listOfClients(workspace_id, [clientId]);
  const own = passes.find((pass) => pass.pass_template_id === template.id);
  if (own) return own;
  const subject = { ...made, client_id: clientId };
  const value = await patternBarcode(deps, template, subject);
  return { ...subject, barcode_value: value ?? PREVIEW_BARCODE };
}

async function viewOf(deps: WalletsDeps, template: Template, pass: DrawnPass): Promise<PassView> {
  const { workspace_id: workspaceId, client_id: clientId } = pass;
  const needed = factsNeeded(template, pass);
  const facts =
    clientId === null
      ? await sampleCard(deps, workspaceId, needed)
      : await gatherCard(deps, pass, needed);
  return viewPass(template, pass, facts);
}

async function picture(
  deps: WalletsDeps,
  view: PassView,
  platform: string,
  workspaceId: string,
): Promise<Buffer> {
  const pictures = await loadPictures(deps.images, view, workspaceId);
  return drawCard(view, pictures, platform === 'google' ? 'google' : 'apple');
}

/** Without the token that a phone would be given. */
async function applePass(
  deps: WalletsDeps,
  template: Template,
  view: PassView,
  workspaceId: string,
) {
  const credentials = await deps.credentials.apple(workspaceId);
  const pass = { id: PREVIEW_ID, link_generation: 0 };
  const issue = appleIssue(deps, credentials, { template, pass });
  const { authenticationToken: _token, webServiceURL: _url, ...shown } = toApplePass(view, issue);
  return shown;
}

async function googlePass(
  deps: WalletsDeps,
  template: Template,
  view: PassView,
  workspaceId: string,
) {
  const { issuerId } = await deps.credentials.google(workspaceId);
  const { class: passClass, object } = await googlePassOf(deps, view, {
    issuerId,
    template,
    pass: { id: PREVIEW_ID },
  });
  return { class: passClass, object };
}
