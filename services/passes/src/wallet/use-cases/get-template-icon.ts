import type { passes as api } from '@laurel/rpc';
import { refusals } from '../../refusals';
import type { WalletsDeps } from '../deps';
import { factsNeeded, viewPass } from '../domain/view';
import { gatherFacts } from '../facts';
import { loadPictures } from '../render';

const NO_PASS = { pass_fields: {}, barcode_value: '', notification: null };

/** The picture that stands for a template at Google, which takes pictures by address only. */
export async function getTemplateIcon(
  deps: WalletsDeps,
  { id }: api.RowRequest,
): Promise<api.Picture> {
  const workspaceId = await deps.templates.workspaceOf(id);
  const template = workspaceId === null ? null : await deps.templates.find(workspaceId, id);
  if (!template) throw refusals.templateNotFound();
  const whom = { workspaceId: template.workspace_id, clientId: null };
  const facts = await gatherFacts(deps.facts, whom, factsNeeded(template, NO_PASS));
  const view = viewPass(template, NO_PASS, facts);
  return { png: (await loadPictures(deps.images, view, template.workspace_id)).icon };
}
