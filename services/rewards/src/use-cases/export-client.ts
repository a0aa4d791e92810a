import type { Json } from '@laurel/errors';
import { personExport, shown } from '@laurel/mongo';
import { collections } from '../collections';
import type { Deps } from '../deps';
import { toRedemption } from '../store/mapping';
import { redemptions } from '../store/redemptions';
import { viewRedemptions } from './view-redemptions';

/** Everything held on a person here (right of access). */
export const exportClient = personExport<Pick<Deps, 'connection' | 'coupons' | 'rewards'>>(
  collections,
  [
    shown(redemptions, async (deps, rows, workspaceId) => {
      const views = await viewRedemptions(deps, workspaceId, rows.map(toRedemption));
      return { redemptions: views as unknown as Json };
    }),
  ],
);
