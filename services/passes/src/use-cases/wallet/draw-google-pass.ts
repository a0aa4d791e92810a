import { createHash } from 'node:crypto';
import type { Template } from '../../domain/template/template';
import { googleObjectId, type NamedPass } from '../../domain/wallet/google-object-id';
import {
  type GoogleKind,
  type GooglePass,
  googleKindOf,
  nameAtGoogle,
  sharedLogo,
  toGooglePass,
} from '../../domain/wallet/google-pass';
import type { PassView } from '../../domain/wallet/view';
import { cardWordings } from '../../domain/wallet/wordings';
import type { GoogleCredentials } from '../../outside/credentials/types';
import { orLeftOut } from '../file/waits';
import type { DrawnPass } from './gather-card';
import { type RenderDeps, render } from './render';

/**
 * A pass as Google is to show it; `kind` where Google has it already, because it stays what it was saved as. Of pictures that too
 * many wait for it goes without; the push that follows such a link waits for them itself.
 */
export async function drawGooglePass(
  deps: RenderDeps,
  { issuerId }: Pick<GoogleCredentials, 'issuerId'>,
  { pass, template, kind }: { pass: DrawnPass; template: Template; kind: GoogleKind | undefined },
): Promise<GooglePass> {
  const view = await render(deps, template, pass);
  const addressOf: Addresses = (workspaceId, source) =>
    orLeftOut(deps.images.addressOf(workspaceId, source));
  const images = { addressOf };
  return googlePassOf({ ...deps, images }, view, { issuerId, template, pass, kind });
}

type Addresses = RenderDeps['images']['addressOf'];

export async function googlePassOf(
  {
    images,
    publicUrl,
    clock,
  }: Pick<RenderDeps, 'publicUrl' | 'clock'> & { images: { addressOf: Addresses } },
  view: PassView,
  {
    issuerId,
    template,
    pass,
    kind = googleKindOf(template),
  }: {
    issuerId: string;
    template: Template;
    pass: NamedPass;
    kind?: GoogleKind | undefined;
  },
): Promise<GooglePass> {
  const address = (source: string | null) =>
    source === null ? null : images.addressOf(template.workspace_id, source);
  const [classLogo, logo, heroUrl] = await Promise.all([
    address(sharedLogo(template)),
    address(view.logo ?? view.icon),
    address(view.coverImage),
  ]);
  const letter = `${publicUrl}/pass-templates/${template.id}/icon.png?v=${lookOf(template)}`;
  const issue = {
    classId: `${issuerId}.${template.id}`,
    objectId: googleObjectId(issuerId, pass),
    issuerName: view.organizationName,
    programName: nameAtGoogle(template),
    classLogoUrl: classLogo ?? letter,
    logoUrl: logo ?? letter,
    heroUrl,
    callbackUrl: publicUrl.startsWith('https:') ? `${publicUrl}/google/v1/callbacks` : null,
    locale: view.language,
    appLabel: cardWordings[view.language].app,
    now: clock.now(),
  };
  return toGooglePass(view, { template, kind, issue });
}

/** Another one where the letter that stands for a template looks otherwise: Google fetches an address once. */
function lookOf({ icon, logo, logo_text, description, name, ...colours }: Template): string {
  const { background_color, value_color } = colours;
  const shown = [icon, logo, logo_text, description, name, background_color, value_color];
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 8);
}

/** The same for the same content. */
export function digestOf(pass: GooglePass): string {
  return createHash('sha256').update(JSON.stringify(pass)).digest('base64url');
}
