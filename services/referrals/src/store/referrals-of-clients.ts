import type { Rows, Session } from '@laurel/mongo';
import type { Merge, Tie, TieChange } from '../domain/merge';
import type { Referral } from '../domain/referral';
import { type ReferralDocument, toReferral } from './mapping';

/** What becomes of referrals when one of their sides is merged or deleted. */
export function createReferralsOfClients(rows: Rows<ReferralDocument>) {
  return { ...createMerges(rows), ...createErasures(rows) };
}

function createMerges(rows: Rows<ReferralDocument>) {
  return {
    /** What a merge has to look at one by one: who brought either, and what stands between them. */
    async tiesOf(
      workspaceId: string,
      [one, other]: readonly [string, string],
      session: Session,
    ): Promise<Tie[]> {
      const filter = { referee_client_id: { $in: [one, other] } };
      const ties = await rows.of(workspaceId).find(filter, { session }).toArray();
      return ties.map((row) => ({ ...toReferral(row), attributes: row.referee_key !== undefined }));
    },

    async applyChange(
      workspaceId: string,
      { now, id, attributes, cancelled, ...sides }: TieChange & { now: Date },
      session: Session,
    ): Promise<Referral> {
      const cancellation = { status: 'cancelled' as const, cancelled_at: now };
      const key = attributes && sides.referee_client_id;
      const document = await rows.of(workspaceId).findOneAndUpdate(
        { _id: id },
        {
          $set: {
            ...sides,
            ...(cancelled ? cancellation : {}),
            ...(key ? { referee_key: key } : {}),
            date_updated: now,
          },
          $unset: { ...(key ? {} : { referee_key: '' }), ...(cancelled ? { due_at: '' } : {}) },
        },
        { returnDocument: 'after', session },
      );
      return toReferral(document!);
    },

    async moveReferrer(
      workspaceId: string,
      { sourceId, targetId }: Merge,
      session: Session,
    ): Promise<void> {
      await rows
        .of(workspaceId)
        .updateMany(
          { referrer_client_id: sourceId },
          { $set: { referrer_client_id: targetId } },
          { session },
        );
    },
  };
}

function createErasures(rows: Rows<ReferralDocument>) {
  return {
    /** The rows stay; the client is on none of them any more. */
    async forgetClient(workspaceId: string, clientId: string, session: Session): Promise<void> {
      await rows
        .of(workspaceId)
        .updateMany(
          { referrer_client_id: clientId },
          { $set: { referrer_client_id: null } },
          { session },
        );
      await rows
        .of(workspaceId)
        .updateMany(
          { referee_client_id: clientId },
          { $set: { referee_client_id: null }, $unset: { referee_key: '' } },
          { session },
        );
    },
  };
}
