import { type Context, newId, systemContext } from '@laurel/lifecycle';
import { fingerprintFor } from '@laurel/mongo';
import { AmountRangeError } from '@laurel/values/amount';
import { leavesDue, settlements } from '../domain/settle';
import { assertSound, requireRoomToSettle } from '../domain/soundness';
import type { Draft, Moment, Wallet } from '../domain/types';
import { applyEffect } from '../domain/wallet';
import { refusals } from '../refusals';
import { chainHash, sealNote } from './chain';
import type { Counterpart, EntryBody, EntryDocument } from './documents';
import type { Head } from './head';
import { fromContext, fromDraft, fromFigures } from './mapping';

/** So many entries of what is due go with one flight: a wallet may have any number of lots that end at once. */
export const SETTLED_AT_ONCE = 2_000;

/** What names an operation in the log. */
export interface Identity {
  operationId: string;
  claim?: string | undefined;
  context: Context;
  counterpart?: Counterpart;
}

/**
 * The entries that would follow a head, each decided on the wallet that the ones before it leave. Nothing is
 * written; the log inserts `documents` in order, or a prefix of them, or none.
 */
export class Planner {
  readonly documents: EntryDocument[] = [];
  readonly #effects: Draft[] = [];
  #head: Head;
  /** So many of the documents are what was due. */
  #settled = 0;
  /** Something may be due that is not planned yet. */
  #isDue = false;

  constructor(readonly base: Head) {
    this.#head = base;
  }

  /** The wallet after all that is planned. */
  get head(): Head {
    return this.#head;
  }

  /** The wallet after the first of the documents: one that has very many lots is not kept once for each. */
  headAfter(count: number): Head {
    if (count === this.documents.length) return this.#head;
    let { wallet, hash } = this.base;
    for (let at = 0; at < count; at += 1) {
      const { created_at, hash: own } = this.documents[at]!;
      wallet = applyEffect(wallet, this.#effects[at]!, created_at.getTime());
      hash = own;
    }
    return { ref: this.base.ref, wallet, hash };
  }

  /** A new entry's id and time; time never runs backwards within a wallet, whatever the clocks do. */
  moment(now: number): Moment {
    return { entryId: newId(), now: Math.max(now, this.head.wallet.lastAt) };
  }

  /** Plans what is due by now, or the first of it: at most so much in all. Says whether nothing is left. */
  settle(now: number, atOnce = SETTLED_AT_ONCE): boolean {
    for (const due of settlements(this.head.wallet, now)) {
      if (this.#settled >= atOnce) {
        this.#isDue = true;
        return false;
      }
      // What a lot gave back may end once more in the wallet that it was merged into, at the same place of that log.
      const operationId = `${due.operation}:${this.head.ref.id}`;
      this.add(due.draft, this.moment(now), { operationId, context: systemContext() });
      this.#settled += 1;
    }
    this.#isDue = false;
    return true;
  }

  /** As `settle`, between two operations: what the first left due must not be there for the second. */
  settleLeft(now: number, atOnce: number): boolean {
    return !this.#isDue || (this.#settled < atOnce && this.settle(now, atOnce));
  }

  /** Decides one operation and plans its entry; returns null when there is nothing to do. Throws refusals. */
  decide(
    decide: (wallet: Wallet, moment: Moment) => Draft | null,
    now: number,
    identity: Identity,
  ): EntryDocument | null {
    const moment = this.moment(now);
    return withinRange(() => {
      const draft = decide(this.head.wallet, moment);
      return draft && this.add(draft, moment, identity);
    });
  }

  /** Gives a draft its place in the chain. */
  add(draft: Draft, moment: Moment, identity: Identity): EntryDocument {
    const { ref, wallet, hash: prevHash } = this.head;
    const after = applyEffect(wallet, draft, moment.now);
    assertSound(wallet, draft, after);
    requireRoomToSettle(wallet, after);
    const { note, digest } = sealNote(draft.description, draft.metadata);
    const { context } = identity;
    const body: EntryBody = {
      _id: moment.entryId,
      workspace_id: ref.workspaceId,
      wallet_id: ref.id,
      client_id: ref.clientId,
      wallet_type_id: ref.walletTypeId,
      wallet_type_code: ref.walletTypeCode,
      sequence: after.sequence,
      operation_id: identity.operationId,
      ...(identity.claim === undefined ? {} : { claim: identity.claim }),
      ...fromDraft(draft),
      after: fromFigures(after.figures),
      counterpart: identity.counterpart ?? null,
      note_digest: digest,
      actor_type: context.actor.type,
      actor_id: context.actor.id,
      created_at: new Date(moment.now),
    };
    const hash = chainHash(prevHash, body);
    const document: EntryDocument = {
      ...body,
      prev_hash: prevHash,
      hash,
      status: draft.status,
      status_at: body.created_at,
      note,
      cause: { ...fromContext(context), ...fingerprintFor(identity.operationId, context) },
      unrelayed: true,
    };
    this.documents.push(document);
    this.#effects.push(draft);
    if (leavesDue(draft, moment.now)) this.#isDue = true;
    this.#head = { ref, wallet: after, hash };
    return document;
  }
}

/** Plans something; what would carry a wallet beyond what is exact is a refusal. */
export function withinRange<T>(plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    if (error instanceof AmountRangeError) throw refusals.outOfRange();
    throw error;
  }
}
