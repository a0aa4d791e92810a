import type { Json } from '@laurel/errors';
import type { passes as api } from '@laurel/rpc';
import type { WalletDeps } from '../../deps';
import {
  changedTemplate,
  newTemplate,
  type Template,
  type TemplateChanges,
} from '../../domain/template/template';
import { toApplePass } from '../../domain/wallet/apple-pass';
import type { CardFacts } from '../../domain/wallet/facts';
import { factsNeeded, type PassView, viewPass } from '../../domain/wallet/view';
import { drawCard, type Pictures, shrunkPictures } from '../../outside/draw/card';
import { refusals } from '../../refusals';
import { authorship } from '../pass/author';
import { patternBarcode } from '../pass/settle-barcode';
import { lookOfBrand } from '../template/look-of-brand';
import { requireKnownReferences, templateFieldsOf } from '../template/template-fields';
import { warningsOf } from '../template/template-warnings';
import { googlePassOf } from './draw-google-pass';
import { type DrawnPass, gatherCard, sampleCard } from './gather-card';
import { remembering } from './remembered';
import { appleIssue, loadPictures, noteOwnPictures } from './render';

/** Stands in for what only a pass has. */
const PREVIEW_ID = '00000000-0000-7000-8000-000000000000';
const PREVIEW_BARCODE = 'PREVIEW';

/** A pass on the template as it would look: of a client, or of somebody made up. */
export async function previewTemplate(
  deps: WalletDeps,
  { workspace_id: workspaceId, template_id, client_id, platform, format }: api.PreviewRequest,
): Promise<api.Preview> {
  const template = await deps.templates.find(workspaceId, template_id);
  if (!template) throw refusals.passTemplateNotFound();
  return { ...(await drawn(deps, template, { client_id, platform, format })), warnings: [] };
}

/** A card as it would look if it was saved, and what in it nothing would fill. Phones hear nothing of it. */
export async function previewDraft(
  deps: WalletDeps,
  { workspace_id: workspaceId, template_id, fields = {}, ...how }: api.PreviewDraftRequest,
): Promise<api.Preview> {
  const checked = templateFieldsOf(fields);
  await requireKnownReferences(deps, workspaceId, checked);
  const template = await draftOf(deps, workspaceId, { templateId: template_id, fields: checked });
  const [preview, warnings] = await Promise.all([
    drawn(deps, template, how),
    warningsOf(deps, workspaceId, template),
  ]);
  return { ...preview, warnings };
}

async function draftOf(
  deps: WalletDeps,
  workspaceId: string,
  { templateId, fields }: { templateId: string | undefined; fields: TemplateChanges },
): Promise<Template> {
  const author = authorship(deps);
  if (templateId !== undefined) {
    const saved = await deps.templates.find(workspaceId, templateId);
    if (!saved) throw refusals.unknownPassTemplate({ field: 'pass_template_id' });
    return changedTemplate(saved, fields, author);
  }
  const look = await lookOfBrand(deps, workspaceId);
  const named = { ...look, ...fields, name: fields.name ?? '' };
  return newTemplate({ id: PREVIEW_ID, workspaceId, projectId: PREVIEW_ID, fields: named }, author);
}

async function drawn(
  deps: WalletDeps,
  template: Template,
  { client_id, platform, format }: Pick<api.PreviewRequest, 'client_id' | 'platform' | 'format'>,
): Promise<Pick<api.Preview, 'png' | 'json'>> {
  const { workspace_id: workspaceId } = template;
  const pass = await shownPass(deps, template, client_id);
  const view = await viewOf(deps, template, pass);
  if (format === 'png') return { png: await picture(deps, view, { platform, workspaceId }) };
  const asTold = platform === 'apple' ? applePass : googlePass;
  return { json: (await asTold(deps, template, view)) as Json };
}

/** The client's own pass on the template where there is one. */
async function shownPass(
  deps: WalletDeps,
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

async function viewOf(deps: WalletDeps, template: Template, pass: DrawnPass): Promise<PassView> {
  const { workspace_id: workspaceId, client_id: clientId } = pass;
  const needed = factsNeeded(template, pass);
  const facts =
    clientId === null
      ? await sampleCard(deps, workspaceId, needed)
      : withoutSignIn(await gatherCard(deps, pass, needed));
  const view = viewPass(template, pass, facts);
  await noteOwnPictures(deps, view, { template, pass });
  return view;
}

/** A preview is for the designer of the card: it shows where the portal is, and opens it to no visitor. */
const withoutSignIn = (card: CardFacts): CardFacts => ({
  ...card,
  portalUrl: card.portalUrl?.split('?')[0] ?? null,
});

/** Cards that were drawn a moment ago, and pictures at the size of a card: what stands behind a file id never changes. */
const drawnCards = remembering<Buffer>({ max: 100, keptMs: 10 * 60_000 });
const smallPictures = remembering<Pictures>({ max: 50, keptMs: 10 * 60_000 });

async function picture(
  deps: WalletDeps,
  view: PassView,
  { platform, workspaceId }: { platform: string; workspaceId: string },
): Promise<Buffer> {
  const sources = [view.icon, view.logo, view.coverImage];
  const files = await Promise.all(
    sources.map((source) => (source === null ? null : deps.images.addressOf(workspaceId, source))),
  );
  const { backgroundColor, valueColor, logoText, description } = view;
  const ofLetter = [backgroundColor, valueColor, logoText, description];
  const shown = [workspaceId, files, files[0] || files[1] ? null : ofLetter];
  return drawnCards(JSON.stringify([platform, workspaceId, files, view]), async () => {
    const pictures = await smallPictures(JSON.stringify(shown), async () =>
      shrunkPictures(await loadPictures(deps.images, view, workspaceId)),
    );
    return drawCard(view, pictures, platform === 'google' ? 'google' : 'apple');
  });
}

/** Without the token that a phone would be given. */
async function applePass(deps: WalletDeps, template: Template, view: PassView) {
  const credentials = await deps.credentials.apple(template.workspace_id);
  const pass = { id: PREVIEW_ID, link_generation: 0 };
  const issue = appleIssue(deps, credentials, { template, pass });
  const { authenticationToken: _token, webServiceURL: _url, ...shown } = toApplePass(view, issue);
  return shown;
}

async function googlePass(deps: WalletDeps, template: Template, view: PassView) {
  const { issuerId } = await deps.credentials.google(template.workspace_id);
  const { class: passClass, object } = await googlePassOf(deps, view, {
    issuerId,
    template,
    pass: { id: PREVIEW_ID },
  });
  return { class: passClass, object };
}
