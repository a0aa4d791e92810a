import type { passes as api } from '@laurel/rpc';
import type { WalletDeps } from '../../deps';
import { factsNeeded, viewPass } from '../../domain/wallet/view';
import { asPng } from '../../outside/images/resize-image';
import { refusals } from '../../refusals';
import { gatherCard } from './gather-card';
import { loadPictures } from './render';

const NO_PASS = {
  pass_fields: {},
  barcode_value: '',
  notification: null,
  status: 'active',
  expires_at: null,
} as const;

/** The picture that stands for a template at Google, which takes pictures by address only. */
export async function getTemplateIcon(
  deps: WalletDeps,
  { id }: api.RowRequest,
): Promise<api.Picture> {
  const workspaceId = await deps.templates.workspaceOf(id);
  const template = workspaceId === null ? null : await deps.templates.find(workspaceId, id);
  if (!template) throw refusals.passTemplateNotFound();
  const pass = { ...NO_PASS, id, workspace_id: template.workspace_id, client_id: null };
  const facts = await gatherCard(deps, pass, factsNeeded(template, pass));
  const view = viewPass(template, pass, facts);
  return { png: await asPng((await loadPictures(deps.images, view, template.workspace_id)).icon) };
}
