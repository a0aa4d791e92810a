import { createHash } from 'node:crypto';
import type { Template } from '../../core/domain/template';
import type { GoogleCredentials } from '../credentials/types';
import { type GooglePass, toGooglePass } from '../domain/google-pass';
import type { PassView } from '../domain/view';
import type { DrawnPass } from '../facts';
import { type RenderDeps, render } from '../render';

/** A pass as Google is to show it. */
export async function drawGooglePass(
  deps: RenderDeps,
  { issuerId }: Pick<GoogleCredentials, 'issuerId'>,
  { pass, template }: { pass: DrawnPass; template: Template },
): Promise<GooglePass> {
  const view = await render(deps, template, pass);
  const { id: passId, workspace_id: workspaceId } = pass;
  return googlePassOf(deps, view, { issuerId, template, passId, workspaceId });
}

export async function googlePassOf(
  { images, publicUrl }: Pick<RenderDeps, 'images' | 'publicUrl'>,
  view: PassView,
  {
    issuerId,
    template,
    passId,
    workspaceId,
  }: { issuerId: string; template: Template; passId: string; workspaceId: string },
): Promise<GooglePass> {
  const address = (source: string | null) =>
    source === null ? null : images.addressOf(workspaceId, source);
  const [logoUrl, heroUrl] = await Promise.all([
    address(view.logo ?? view.icon),
    address(view.coverImage),
  ]);
  return toGooglePass(view, {
    classId: `${issuerId}.${template.id}`,
    objectId: `${issuerId}.${passId}`,
    issuerName: view.organizationName,
    programName: template.name,
    logoUrl: logoUrl ?? `${publicUrl}/pass-templates/${template.id}/icon.png`,
    heroUrl,
    callbackUrl: publicUrl.startsWith('https:') ? `${publicUrl}/google/v1/callbacks` : null,
    locale: 'en',
  });
}

/** The same for the same content. */
export function digestOf(pass: GooglePass): string {
  return createHash('sha256').update(JSON.stringify(pass)).digest('base64url');
}
