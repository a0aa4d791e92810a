import { invalidField } from '@laurel/errors';
import { currentContext } from '@laurel/lifecycle';
import type { ledger } from '@laurel/rpc';
import { AMOUNT_MAX, isAmount, toUnits, type Units } from '@laurel/values/amount';
import type { Note } from '../domain/types';
import { refusals } from '../refusals';
import type { Outcome } from '../store/command';
import type { EntryDocument, WalletRef } from '../store/documents';
import { toEntryReply } from './wire';

/**
 * The id under which an operation takes effect once: one that the caller names, or else the command
 * that is going on. Nothing that comes in from outside can spell one of the ledger's own.
 */
export function operationIdOf(kind: string, named: string | undefined): string {
  return named === undefined ? `${kind}:${currentContext().operationId}` : namedOperation(named);
}

export function namedOperation(name: string): string {
  return `op:${name}`;
}

/** external_id is unique per wallet and operation (part 3, section 1.3). */
export function externalClaim(
  kind: string,
  { id }: WalletRef,
  externalId: string | undefined,
): string | undefined {
  return externalId === undefined ? undefined : `external:${kind}:${id}:${externalId}`;
}

export function positiveUnits(amount: number, field = 'amount'): Units {
  if (!isAmount(amount) || amount <= 0)
    throw invalidField(
      field,
      `${field} must be above 0 and at most ${AMOUNT_MAX}, with at most 4 decimal places`,
    );
  return toUnits(amount);
}

interface NoteFields {
  description?: string | undefined;
  source_type?: string | undefined;
  source_id?: string | undefined;
  external_id?: string | undefined;
  metadata?: unknown;
}

export function noteFrom(fields: NoteFields): Note {
  return {
    sourceType: fields.source_type ?? 'manual',
    sourceId: fields.source_id ?? null,
    externalId: fields.external_id ?? null,
    description: fields.description ?? null,
    metadata: (fields.metadata ?? {}) as Record<string, unknown>,
  };
}

/** Answers with the entry; a repeat under the same external_id must ask for the same amount. */
export function answer(outcome: Outcome | null, requested: Units): ledger.EntryReply {
  if (!outcome) throw new Error('an operation came to nothing');
  if (outcome.replayed === 'claim') refuseOtherAmount(outcome.entry, requested);
  return { entry: toEntryReply(outcome.entry), replayed: outcome.replayed !== null };
}

export function refuseOtherAmount({ caps, amount }: EntryDocument, requested: Units): void {
  const first = caps ? caps.requested : amount;
  if (Math.abs(first) !== Math.abs(requested) || first < 0 !== requested < 0)
    throw refusals.otherAmount({ field: 'external_id' });
}
