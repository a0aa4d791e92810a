import type { RewardsCreateBody } from '@laurel/client';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { choicesOf, withStored } from '../../parts/stored-choice';

/** Of a reward that not every customer sees, who does; nothing where all do. */
export function Audience({
  reward: { visibility_tiers = [], visibility_segments = [] },
}: {
  reward: Pick<RewardsCreateBody, 'visibility_tiers' | 'visibility_segments'>;
}): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const [forTiers, forSegments] = [visibility_tiers.length > 0, visibility_segments.length > 0];
  const tiers = useAsk(['tiers'], () => laurel.tiers.list(), { isWanted: forTiers });
  const segments = useAsk(['segments'], () => laurel.segments.list(), { isWanted: forSegments });
  const names = (list: typeof tiers.data | typeof segments.data, ids: string[]) =>
    withStored(say, list && choicesOf(list), ids)
      .filter(({ value }) => ids.includes(value))
      .map(({ label }) => label)
      .join(', ');
  return (
    <>
      {forTiers && (
        <p className="hint">
          {say('reward.only.tiers', { names: names(tiers.data, visibility_tiers) })}
        </p>
      )}
      {forSegments && (
        <p className="hint">
          {say('reward.only.segments', { names: names(segments.data, visibility_segments) })}
        </p>
      )}
    </>
  );
}
