import type { TierSet, TiersPreviewResult } from '@laurel/client';
import type { ReactNode } from 'react';
import { Notice } from '../../parts/notice';
import { useText } from '../../text';

/** Who would move if it were saved so. */
export function Moves({
  moved: { changes, evaluated },
  tiers,
  newName = '',
}: {
  moved: TiersPreviewResult;
  tiers: TierSet['tiers'];
  /** Of a tier that is not saved yet. */
  newName?: string;
}): ReactNode {
  const { say } = useText();
  const nameOf = (id: string | null) =>
    tiers.find((one) => one.id === id)?.name ?? (id === null ? say('none') : newName);
  return (
    <Notice kind={changes.length > 0 ? 'warn' : 'good'}>
      {changes.length === 0
        ? say('tiers.nobody', { count: evaluated })
        : changes
            .map((one) =>
              say('tiers.moves', {
                count: one.count ?? 0,
                from: nameOf(one.from_tier_id),
                to: nameOf(one.to_tier_id),
              }),
            )
            .join(' · ')}
    </Notice>
  );
}
