import { isDeepStrictEqual } from 'node:util';
import { isDuplicateKey, orStale, unitOfWork } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import { canBear, filledPattern } from '../../domain/pass/barcode';
import type { Pass } from '../../domain/pass/pass';
import { factNeeds, hasPlaceholder } from '../../domain/pass/placeholders';
import { randomBarcode } from '../../domain/pass/random-barcode';
import type { Template } from '../../domain/template/template';
import { gatherFacts, type PassOfClient } from './gather-facts';
import { isSaidByVisitors, takeFromVisitor, yields } from './yield-barcode';

type FactDeps = Pick<PassDeps, 'clients' | 'ledger' | 'tiers' | 'referrals'>;
type SettleDeps = FactDeps &
  Pick<
    PassDeps,
    | 'connection'
    | 'formerBarcodes'
    | 'passes'
    | 'templates'
    | 'passUpdates'
    | 'belongings'
    | 'clock'
  >;
type Design = Pick<Template, 'barcode_id' | 'barcode_type'>;

/** What the pattern of the template comes to for a pass, e.g. the number of a card; null where it cannot be shown. */
export async function patternBarcode(
  deps: FactDeps,
  { barcode_id: pattern, barcode_type: type }: Design,
  subject: PassOfClient,
): Promise<string | null> {
  if (pattern === null || !hasPlaceholder(pattern)) return null;
  const facts = await gatherFacts(deps, subject, factNeeds([pattern]));
  const value = filledPattern(pattern, facts);
  return value !== null && canBear(type, value) ? value : null;
}

/**
 * Works the barcode value of a pass out anew (part 4, section 3): what its creator gave, else the pattern of its template
 * where no other pass has what it comes to (nor, of what visitors say, had it), else the value that cannot be guessed. Done before every wallet update, so
 * that it follows whatever the pattern is filled with. Returns the pass as it is then.
 */
export async function settleBarcode(
  deps: SettleDeps,
  pass: Pass,
  template: Template,
): Promise<Pass> {
  if (pass.retired) return pass;
  const wanted = await wantedBarcode(deps, pass, template);
  if (wanted === pass.barcode_value) return pass;
  if (wanted !== null && (await isFree(deps, { ...pass, pattern: template.barcode_id }, wanted))) {
    const to = { value: wanted, spare: pass.barcode_spare ?? randomBarcode() };
    const settled = await unlessTaken(writeBarcode(deps, pass, to));
    if (settled) return settled;
  }
  const spare = spareOf(pass, template);
  if (spare === pass.barcode_value) return pass;
  const settled = await unlessTaken(writeBarcode(deps, pass, { value: spare, spare }));
  if (settled) return settled;
  const other = randomBarcode();
  return writeBarcode(deps, pass, { value: other, spare: other });
}

async function wantedBarcode(deps: FactDeps, pass: Pass, template: Template) {
  const { barcode_given: given } = pass;
  if (given === null) return patternBarcode(deps, template, pass);
  return canBear(template.barcode_type, given) ? given : null;
}

/** Passes from before there were spare values keep the one they have, as far as it can be shown. */
function spareOf({ barcode_spare: spare, barcode_value: value }: Pass, { barcode_type }: Template) {
  return spare ?? (canBear(barcode_type, value) ? value : randomBarcode());
}

/** That another pass has it now is asked only to save a write that would fail: the unique index decides. */
async function isFree(
  deps: SettleDeps,
  pass: Pass & { pattern: string | null },
  value: string,
): Promise<boolean> {
  const { id, workspace_id, barcode_given, pattern } = pass;
  const holder = await deps.passes.findByBarcode(workspace_id, value);
  if (holder !== null && !(await yields(deps, holder, pass))) return false;
  return barcode_given !== null || mayFill(deps, { workspace_id, id, pattern }, value);
}

/**
 * Whether a pass may have what the pattern comes to, as far as earlier values go. Such a value leads to its pass until
 * another one has it (part 4, section 3), but not to the pass of a visitor who writes into a form what stands on
 * somebody else's old card: where people say themselves who they are, it has to be given.
 *
 * @param pass.id undefined for one that is being made
 */
export async function mayFill(
  { formerBarcodes, belongings }: Pick<PassDeps, 'formerBarcodes' | 'belongings'>,
  { workspace_id, id, pattern }: { workspace_id: string; id?: string; pattern: string | null },
  value: string,
): Promise<boolean> {
  const holder = await formerBarcodes.passOf(workspace_id, value);
  if (holder === null || holder === id || pattern === null) return true;
  return !(await isSaidByVisitors({ belongings }, workspace_id, pattern));
}

async function unlessTaken<T>(write: Promise<T>): Promise<T | null> {
  try {
    return await write;
  } catch (error) {
    if (isDuplicateKey(error, 'barcode_value')) return null;
    throw error;
  }
}

/** What the value was worked out from; each change of it asks for another wallet update. */
const grounds = (pass: Pass) => [
  pass.client_id,
  pass.pass_template_id,
  pass.pass_fields,
  pass.barcode_given,
  pass.barcode_value,
];

async function writeBarcode(
  deps: SettleDeps,
  pass: Pass,
  { value, spare }: { value: string; spare: string },
): Promise<Pass> {
  const { id, workspace_id: workspaceId } = pass;
  return unitOfWork(deps.connection, async (session) => {
    const current = await deps.passes.find(workspaceId, id, session);
    if (!current || !isDeepStrictEqual(grounds(current), grounds(pass))) return current ?? pass;
    await takeFromVisitor(deps, { claimant: pass, value }, session);
    const columns = { barcode_value: value, barcode_spare: spare, date_updated: deps.clock.now() };
    const settled = { ...current, ...columns };
    await deps.passes.replace(settled, session);
    const former = { value: pass.barcode_value, passId: id };
    await deps.formerBarcodes.release(workspaceId, value, session);
    await orStale('a former barcode', deps.formerBarcodes.keep(workspaceId, former, session));
    return { ...settled, revision: current.revision + 1 };
  });
}
