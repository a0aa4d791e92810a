import { randomBytes } from 'node:crypto';
import type { passes as api } from '@laurel/rpc';
import type { CoreDeps } from '../deps';
import { factNeeds, fillPlaceholders, hasPlaceholder } from '../domain/placeholders';
import { gatherFacts, type PassOfClient } from './gather-facts';

const BARCODE_BYTES = 15;

type BarcodeDeps = Pick<
  CoreDeps,
  'templates' | 'passes' | 'clients' | 'ledger' | 'tiers' | 'referrals'
>;

/**
 * What the barcode of a new pass says: what was asked for; else what `barcode_id` of the template comes to for the
 * client, e.g. the number of a card, where all of it is known and free; else something that nobody guesses.
 */
export async function barcodeValue(
  deps: BarcodeDeps,
  request: api.CreatePassRequest,
  subject: PassOfClient,
): Promise<string> {
  if (request.barcode_value !== undefined) return request.barcode_value;
  const template = await deps.templates.find(subject.workspace_id, request.pass_template_id);
  const pattern = template?.barcode_id ?? '';
  if (!hasPlaceholder(pattern)) return randomBarcode();
  const facts = await gatherFacts(deps, subject, factNeeds([pattern]));
  const values: string[] = [];
  const value = fillPlaceholders(pattern, facts, (part) => {
    values.push(part);
    return part;
  });
  const isFree =
    !values.includes('') && !(await deps.passes.findByBarcode(subject.workspace_id, value));
  return isFree ? value : randomBarcode();
}

/** 120 random bits, short enough for a one-dimensional barcode. */
function randomBarcode(): string {
  return randomBytes(BARCODE_BYTES).toString('base64url');
}
