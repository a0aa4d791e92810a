import type { CoreDeps } from '../../core/deps';
import type { Pass } from '../../core/domain/pass';
import type { Template } from '../../core/domain/template';
import { refusals } from '../../refusals';

type Finding = Pick<CoreDeps, 'passes' | 'templates' | 'links'>;

export interface PassOnTemplate {
  pass: Pass;
  template: Template;
}

/** The pass of a link; a wrong signature is answered like an unknown pass (part 3, section 1.1). */
export async function findSignedPass(
  deps: Finding,
  { pass_id: passId, signature }: { pass_id: string; signature: string },
): Promise<PassOnTemplate> {
  if (!deps.links.isSignatureOf(passId, signature)) throw refusals.passNotFound();
  const found = await findPass(deps, passId);
  if (!found) throw refusals.passNotFound();
  return found;
}

/** A pass with its template, whatever its workspace: for whoever holds a credential of the pass itself. */
export async function findPass(
  { passes, templates }: Pick<Finding, 'passes' | 'templates'>,
  passId: string,
): Promise<PassOnTemplate | null> {
  const [pass] = await passes.locate([passId]);
  if (!pass) return null;
  const template = await templates.find(pass.workspace_id, pass.pass_template_id);
  return template && { pass, template };
}
