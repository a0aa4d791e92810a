import { createHash } from 'node:crypto';
import type { Template } from '../../core/domain/template';
import type { GoogleCredentials } from '../credentials/types';
import {
  type GoogleKind,
  type GooglePass,
  googleKindOf,
  sharedLogo,
  toGooglePass,
} from '../domain/google-pass';
import type { PassView } from '../domain/view';
import { cardWordings } from '../domain/wordings';
import type { DrawnPass } from '../facts';
import { type RenderDeps, render } from '../render';

/** A pass as Google is to show it; `kind` where Google has it already, because it stays what it was saved as. */
export async function drawGooglePass(
  deps: RenderDeps,
  { issuerId }: Pick<GoogleCredentials, 'issuerId'>,
  { pass, template, kind }: { pass: DrawnPass; template: Template; kind: GoogleKind | undefined },
): Promise<GooglePass> {
  const view = await render(deps, template, pass);
  return googlePassOf(deps, view, { issuerId, template, pass, kind });
}

export async function googlePassOf(
  { images, publicUrl, clock }: Pick<RenderDeps, 'images' | 'publicUrl' | 'clock'>,
  view: PassView,
  {
    issuerId,
    template,
    pass,
    kind = googleKindOf(template),
  }: {
    issuerId: string;
    template: Template;
    pass: Pick<DrawnPass, 'id' | 'link_generation'>;
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
  const letter = `${publicUrl}/pass-templates/${template.id}/icon.png`;
  const issue = {
    classId: `${issuerId}.${template.id}`,
    objectId: googleObjectId(issuerId, pass),
    issuerName: view.organizationName,
    programName: template.name,
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

/**
 * What a pass is called at Google. With its links made anew it is another object, as the token of a card at Apple is
 * another: whoever saved the former one holds what has ended (docs/adr/0014).
 */
export function googleObjectId(
  issuerId: string,
  { id, link_generation: generation = 0 }: Pick<DrawnPass, 'id' | 'link_generation'>,
): string {
  return `${issuerId}.${id}${generation === 0 ? '' : `_${generation}`}`;
}

/** Whether an object bears the name of earlier links of a pass. */
export function isFormerObject(
  objectId: string,
  pass: Pick<DrawnPass, 'id' | 'link_generation'>,
): boolean {
  return objectId !== googleObjectId(partsOfObjectId(objectId).issuerId, pass);
}

/** The issuer and the pass that an object was named after. */
export function partsOfObjectId(objectId: string): { issuerId: string; passId: string } {
  const [issuerId = '', name = ''] = objectId.split('.');
  return { issuerId, passId: name.split('_')[0]! };
}

/** The same for the same content. */
export function digestOf(pass: GooglePass): string {
  return createHash('sha256').update(JSON.stringify(pass)).digest('base64url');
}
