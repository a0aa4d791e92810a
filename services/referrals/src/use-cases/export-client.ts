import type { Json } from '@laurel/errors';
import { personExport, shown } from '@laurel/mongo';
import { collections } from '../collections';
import type { Deps } from '../deps';
import { codes } from '../store/codes';
import { toReferral } from '../store/mapping';
import { referrals } from '../store/referrals';
import { toReferralReply } from './wire';

/** Everything held on a person here: their codes and the referrals they are part of; of others, only the ids. */
export const exportClient = personExport<Pick<Deps, 'connection'>>(collections, [
  shown(codes, (_deps, rows) => ({
    codes: rows.map(({ code, date_created }) => ({
      code,
      date_created: date_created.toISOString(),
    })),
  })),
  shown(referrals, (_deps, rows) => {
    const own = rows.map((row) => toReferralReply(toReferral(row)));
    return { referrals: own as unknown as Json };
  }),
]);
