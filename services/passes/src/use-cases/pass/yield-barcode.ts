import type { Session } from '@laurel/mongo';
import type { Pass } from '../../domain/pass/pass';
import { fieldsIn, IDENTITY_FIELDS } from '../../domain/pass/placeholders';
import { randomBarcode } from '../../domain/pass/random-barcode';
import type { createPassUpdateStore } from '../../store/pass-updates';
import type { PassStore } from '../../store/passes';
import type { createTemplateStore } from '../../store/templates';

/** The part that knows which fields its forms ask for. */
type Asking = readonly { fieldsAsked(workspaceId: string): Promise<string[]> }[];

export interface YieldDeps {
  passes: Pick<PassStore, 'findByBarcode' | 'replace'>;
  templates: Pick<ReturnType<typeof createTemplateStore>, 'find'>;
  passUpdates: Pick<ReturnType<typeof createPassUpdateStore>, 'ask'>;
  belongings: Asking;
  clock: { now(): Date };
}

type Claimant = Pick<Pass, 'handed_out' | 'link_generation'>;

/** Whether people who fill in a form of the workspace say themselves what a pattern is filled with. */
export async function isSaidByVisitors(
  { belongings }: { belongings: Asking },
  workspaceId: string,
  pattern: string,
): Promise<boolean> {
  const asked = await Promise.all(belongings.map((each) => each.fieldsAsked(workspaceId)));
  const said = new Set<string>([...IDENTITY_FIELDS, ...asked.flat()]);
  return fieldsIn(pattern).some((name) => said.has(name));
}

/** A form made it, and its sender has not shown to be its client since. */
const isOfVisitor = ({ handed_out, link_generation }: Claimant): boolean =>
  handed_out === true && link_generation === 0;

/**
 * Whether the holder of a barcode value gives way to another pass that is to have it: what a visitor's pass came to by
 * what they wrote into a form is theirs as long as no other needs it. Else anybody who knows how a shop numbers its
 * members could take their numbers beforehand.
 */
export async function yields(deps: YieldDeps, holder: Pass, claimant: Claimant): Promise<boolean> {
  const { workspace_id: workspaceId, barcode_given, barcode_value, barcode_spare } = holder;
  if (isOfVisitor(claimant)) return false;
  if (!isOfVisitor(holder) || barcode_given !== null || barcode_value === barcode_spare)
    return false;
  const template = await deps.templates.find(workspaceId, holder.pass_template_id);
  const pattern = template?.barcode_id ?? null;
  return pattern !== null && isSaidByVisitors(deps, workspaceId, pattern);
}

/** Takes a value from a visitor's pass that has it, in the transaction that gives it to another. */
export async function takeFromVisitor(
  deps: YieldDeps,
  { claimant, value }: { claimant: Pass; value: string },
  session: Session,
): Promise<void> {
  const { workspace_id: workspaceId } = claimant;
  const found = await deps.passes.findByBarcode(workspaceId, value, session);
  if (!found || found.id === claimant.id) return;
  if (!(await yields(deps, found, claimant))) return;
  const spare = found.barcode_spare ?? randomBarcode();
  const columns = { barcode_value: spare, barcode_spare: spare, date_updated: deps.clock.now() };
  await deps.passes.replace({ ...found, ...columns }, session);
  const asked = { passIds: [found.id], now: deps.clock.now() };
  await deps.passUpdates.ask(workspaceId, asked, session);
}
