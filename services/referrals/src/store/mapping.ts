import type { Referral } from '../domain/referral';

export interface ReferralDocument extends Omit<Referral, 'id'> {
  _id: string;
  program_id: string;
  /** The referee, while this is the referral that says by whom they were brought. */
  referee_key?: string;
  /** When it expires; there while that is still to come. */
  due_at?: Date;
  /** The command that made it, so that its repetition differs from another's. */
  operation_id: string;
  /** The batch that closed it. */
  closed_by?: string;
  /** The request that it was closed for with others, in one batch or several. */
  closed_for?: string;
}

export function toReferral(document: ReferralDocument): Referral {
  const {
    _id,
    program_id: _program,
    referee_key: _key,
    due_at: _due,
    operation_id: _operation,
    closed_by: _batch,
    closed_for: _request,
    ...columns
  } = document;
  return { ...columns, id: _id };
}
