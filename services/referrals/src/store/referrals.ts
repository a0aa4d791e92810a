import type { ReferralStatus } from '@laurel/contract';
import {
  type Connection,
  collection,
  literalPattern,
  numberedPage,
  type Rows,
  type Session,
  StaleWrite,
} from '@laurel/mongo';
import type { Referral } from '../domain/referral';
import { type ReferralDocument, toReferral } from './mapping';
import { createReferralsOfClients } from './referrals-of-clients';

const NEWEST_FIRST = { date_created: -1, _id: -1 } as const;

export const referrals = collection<ReferralDocument>('referrals', {
  tenant: 'workspace_id',
  person: {
    column: ['referrer_client_id', 'referee_client_id'],
    merged: 'by hand: use-cases/merge-clients.ts',
    anonymized: 'stays: ids of both sides; names are in people',
    deleted: 'by hand: use-cases/forget-client.ts',
    exported: 'shown',
  },
  growth: {
    per: 'referral',
    end: 'stays: listed; who was brought once is not brought again',
    shardKey: ['workspace_id', 'referee_key'],
  },
  indexes: [
    {
      key: { workspace_id: 1, referee_key: 1 },
      name: 'referee_unique',
      unique: true,
      partialFilterExpression: { referee_key: { $exists: true } },
    },
    { key: { workspace_id: 1, date_created: -1, _id: -1 }, name: 'newest' },
    { key: { workspace_id: 1, status: 1, date_created: -1, _id: -1 }, name: 'status' },
    { key: { workspace_id: 1, completed_at: 1 }, name: 'completed' },
    { key: { workspace_id: 1, referrer_client_id: 1, status: 1 }, name: 'referrer' },
    { key: { workspace_id: 1, referee_client_id: 1 }, name: 'referee' },
    {
      key: { due_at: 1 },
      name: 'due',
      partialFilterExpression: { due_at: { $exists: true } },
    },
  ],
});

export interface ReferralFilter {
  status?: string | undefined;
  referrerId?: string | undefined;
  refereeId?: string | undefined;
  /** The code contains `text`, or one of the clients is on either side. */
  search?: { text: string; clientIds: readonly string[] } | undefined;
}

export interface Origin {
  programId: string;
  operationId: string;
}

export interface Attributed {
  id: string;
  operationId: string;
}

export interface Completion {
  eventType: string;
  eventId: string | null;
  now: Date;
}

/** Referrals, one per referee at most, and the moves of their status. */
export function createReferralStore(connection: Connection) {
  const rows = referrals.open(connection);
  return {
    ...createSingleReferrals(rows),
    ...createAttributions(rows),
    ...createStatusMoves(rows),
    ...createReferralsOfClients(rows),
  };
}

const found = (document: ReferralDocument | null) => document && toReferral(document);

function createSingleReferrals(rows: Rows<ReferralDocument>) {
  return {
    /** Fails as a duplicate key when the referee has a referral. */
    async insert(
      { id, ...columns }: Referral,
      { programId, operationId }: Origin,
      session: Session,
    ): Promise<void> {
      await rows.insertOne(
        {
          _id: id,
          ...columns,
          program_id: programId,
          operation_id: operationId,
          referee_key: columns.referee_client_id!,
          ...(columns.expires_at ? { due_at: columns.expires_at } : {}),
        },
        { session },
      );
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Referral | null> {
      return found(await rows.of(workspaceId).findOne({ _id: id }, { session }));
    },

    async list(
      workspaceId: string,
      filter: ReferralFilter,
      page: { limit: number; offset: number },
    ): Promise<{ referrals: Referral[]; total: number }> {
      const listing = { filter: toFilter(filter), sort: NEWEST_FIRST };
      const { documents, total } = await numberedPage(rows.of(workspaceId), listing, page);
      return { referrals: documents.map(toReferral), total };
    },
  };
}

/** Who brought whom. */
function createAttributions(rows: Rows<ReferralDocument>) {
  return {
    /** The referral that says by whom the client was brought, of whatever status. */
    async attributionOf(
      workspaceId: string,
      refereeId: string,
      session?: Session,
    ): Promise<Attributed | null> {
      const filter = { referee_key: refereeId };
      const document = await rows.of(workspaceId).findOne(filter, { session });
      return document && { id: document._id, operationId: document.operation_id };
    },

    /** The client's referral, where it was not closed by a moment: one that is pending, or expired after it. */
    async openAt(
      workspaceId: string,
      { refereeId, moment }: { refereeId: string; moment: Date },
      session?: Session,
    ): Promise<Referral | null> {
      const filter = {
        referee_key: refereeId,
        $or: [
          { status: 'pending' as const },
          { status: 'expired' as const, expires_at: { $gt: moment } },
        ],
      };
      return found(await rows.of(workspaceId).findOne(filter, { session }));
    },

    /** Who brought the client, as far as that still counts. */
    async referrerOf(
      workspaceId: string,
      refereeId: string,
      session?: Session,
    ): Promise<string | null> {
      const filter = {
        referee_key: refereeId,
        status: { $in: ['pending', 'completed'] satisfies ReferralStatus[] },
      };
      const options = { projection: { referrer_client_id: 1 }, session };
      return (await rows.of(workspaceId).findOne(filter, options))?.referrer_client_id ?? null;
    },

    async hasBrought(workspaceId: string, clientId: string, session?: Session): Promise<boolean> {
      const filter = {
        referrer_client_id: clientId,
        status: { $in: ['pending', 'completed'] satisfies ReferralStatus[] },
      };
      return rows.of(workspaceId).has(filter, { session });
    },
  };
}

/** A pending referral ends once; one that expired may turn out to have been completed before. */
function createStatusMoves(rows: Rows<ReferralDocument>) {
  return {
    /** Throws StaleWrite when it is no longer of the status or of the referrer that it was read with. */
    async complete(
      referral: Referral,
      { eventType, eventId, now }: Completion,
      session: Session,
    ): Promise<Referral> {
      const document = await rows.of(referral.workspace_id).findOneAndUpdate(
        {
          _id: referral.id,
          status: referral.status,
          referrer_client_id: referral.referrer_client_id,
        },
        {
          $set: {
            status: 'completed',
            qualifying_event_type: eventType,
            qualifying_event_id: eventId,
            completed_at: now,
            date_updated: now,
          },
          $unset: { due_at: '' },
        },
        { returnDocument: 'after', session },
      );
      if (!document) throw new StaleWrite('the referral');
      return toReferral(document);
    },

    /** The cancelled referral; null when it is not pending. */
    async cancel(
      workspaceId: string,
      { id, now }: { id: string; now: Date },
      session: Session,
    ): Promise<Referral | null> {
      return found(
        await rows.of(workspaceId).findOneAndUpdate(
          { _id: id, status: 'pending' },
          {
            $set: { status: 'cancelled', cancelled_at: now, date_updated: now },
            $unset: { due_at: '' },
          },
          { returnDocument: 'after', session },
        ),
      );
    },
  };
}

function toFilter(filter: ReferralFilter): Record<string, unknown> {
  const { status, referrerId, refereeId, search } = filter;
  return {
    ...(status === undefined ? {} : { status }),
    ...(referrerId === undefined ? {} : { referrer_client_id: referrerId }),
    ...(refereeId === undefined ? {} : { referee_client_id: refereeId }),
    ...(search ? { $or: searchClauses(search) } : {}),
  };
}

function searchClauses({ text, clientIds }: NonNullable<ReferralFilter['search']>): object[] {
  const code = { referral_code: { $regex: literalPattern(text.toUpperCase()) } };
  if (clientIds.length === 0) return [code];
  const ids = { $in: [...clientIds] };
  return [code, { referrer_client_id: ids }, { referee_client_id: ids }];
}
