import { luminanceOf } from '@laurel/contract';
import type { PassDeps } from '../../deps';
import type { TemplateChanges } from '../../domain/template/template';
import { orNoBrand } from './or-no-brand';

/** Above it black is read better on a colour than white (WCAG contrast). */
const LIGHT = 0.179;

/**
 * What a new card takes of the workspace's brand where its maker says nothing: colours with texts that can be read on
 * them, and pictures. Copied once: a brand that changes later moves no card on anybody's phone.
 */
export async function lookOfBrand(
  { identity, files }: Pick<PassDeps, 'identity' | 'files'>,
  workspaceId: string,
): Promise<TemplateChanges> {
  const asked = identity.GetBrand({ workspace_id: workspaceId });
  const { primary_color: ground, logo, icon } = await orNoBrand(asked);
  const pictures = { ...(logo ? { logo } : {}), ...(icon ? { icon } : {}) };
  const gone = await files.unknownAmong(workspaceId, Object.values(pictures));
  const kept = Object.entries(pictures).filter(([, id]) => !gone.includes(id));
  if (!ground) return Object.fromEntries(kept);
  const ink = luminanceOf(ground) > LIGHT ? '#000000' : '#FFFFFF';
  return {
    ...Object.fromEntries(kept),
    background_color: ground,
    label_color: ink,
    value_color: ink,
  };
}
