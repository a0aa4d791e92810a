import type { PassDeps } from '../../deps';
import { newPass, type Pass } from '../../domain/pass/pass';
import { emptyTemplate, type RetiredPass } from '../../domain/pass/retirement';
import type { Template } from '../../domain/template/template';
import { refusals } from '../../refusals';

type Finding = Pick<PassDeps, 'passes' | 'templates' | 'retiredPasses' | 'clock'>;
type Link = { pass_id: string; signature: string };

export interface PassOnTemplate {
  pass: Pass;
  template: Template;
}

/** One whose phones are to hear of a change. */
export interface PassToPush extends PassOnTemplate {
  /** Nothing was asked for since a push failed. */
  isRepeat: boolean;
}

/** The pass of a link; a wrong signature is answered like an unknown pass (part 3, section 1.1). */
export async function findSignedPass(
  deps: Finding & Pick<PassDeps, 'links'>,
  { pass_id: passId, signature }: Link,
): Promise<PassOnTemplate> {
  const found = await findPass(deps, passId);
  if (!found || !deps.links.isSignatureOf(found.pass, signature)) throw refusals.passNotFound();
  return found;
}

/** As `findSignedPass`, for what is not to be used from now on: a pass that is gone is not found. */
export async function findLivingPass(
  deps: Finding & Pick<PassDeps, 'links'>,
  link: Link,
): Promise<PassOnTemplate> {
  const found = await findSignedPass(deps, link);
  if (found.pass.retired) throw refusals.passNotFound();
  return found;
}

/**
 * A pass with its template, whatever its workspace: for the holder of a credential of the pass itself. In place of one
 * that is gone comes the empty, voided card for 30 days, then nothing (part 4, section 4).
 */
export async function findPass(deps: Finding, passId: string): Promise<PassOnTemplate | null> {
  const [pass] = await deps.passes.locate([passId]);
  if (!pass || pass.retired) {
    const retired = await deps.retiredPasses.locate(passId, deps.clock.now());
    return retired && emptyCard(retired);
  }
  const template = await deps.templates.find(pass.workspace_id, pass.pass_template_id);
  return template && { pass, template };
}

/** As `findPass`, for many passes of one workspace, by their ids; those that there is nothing of are left out. */
export async function findPasses(
  deps: Finding,
  workspaceId: string,
  passIds: readonly string[],
): Promise<Map<string, PassOnTemplate>> {
  const living = (await deps.passes.locate(passIds)).filter(({ retired }) => !retired);
  const templateIds = [...new Set(living.map((pass) => pass.pass_template_id))];
  const templates = await deps.templates.findMany(workspaceId, templateIds);
  const templateOf = new Map(templates.map((template) => [template.id, template]));
  const found = new Map<string, PassOnTemplate>();
  for (const pass of living) {
    const template = templateOf.get(pass.pass_template_id);
    if (template) found.set(pass.id, { pass, template });
  }
  const isLiving = new Set(living.map(({ id }) => id));
  for (const passId of passIds.filter((id) => !isLiving.has(id))) {
    const retired = await deps.retiredPasses.locate(passId, deps.clock.now());
    if (retired) found.set(passId, emptyCard(retired));
  }
  return found;
}

/** What is shown in place of a pass that has ended. */
export function emptyCard(retired: RetiredPass): PassOnTemplate {
  const { passId: id, workspaceId: workspace_id, linkGeneration = 0, retiredAt } = retired;
  const template = emptyTemplate(retired);
  const nobody = { client_id: null, pass_fields: {}, barcode_value: '' };
  const place = { project_id: template.project_id, pass_template_id: template.id };
  const made = newPass({ id, workspace_id, ...place, ...nobody }, { userId: null, now: retiredAt });
  const ended = { status: 'voided', expires_at: retiredAt, retired: true } as const;
  return { template, pass: { ...made, ...ended, link_generation: linkGeneration } };
}
