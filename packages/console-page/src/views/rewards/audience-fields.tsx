import type { RewardsCreateBody } from '@laurel/client';
import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import type { Draft } from '../../parts/draft';
import { choicesOf, withStored } from '../../parts/stored-choice';

export const AUDIENCE_FIELDS = ['visibility_tiers', 'visibility_segments'] as const;
type Restriction = (typeof AUDIENCE_FIELDS)[number];

/** Some fields of a reward as it is written down. */
export interface RewardFields {
  reward: RewardsCreateBody;
  trouble: (field: string) => string | undefined;
  onChange: Draft<RewardsCreateBody>['set'];
}

/** Whom a reward is for: where tiers and segments are chosen, who is in one of each. */
export function AudienceFields({ reward, trouble, onChange }: RewardFields): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const tiers = useAsk(['tiers'], () => laurel.tiers.list());
  const segments = useAsk(['segments'], () => laurel.segments.list());
  const groups = { visibility_tiers: tiers.data, visibility_segments: segments.data };
  return AUDIENCE_FIELDS.map((name: Restriction) => {
    const chosen = reward[name] ?? [];
    const found = groups[name];
    const offered = withStored(say, found && choicesOf(found), chosen);
    if (offered.length === 0) return null;
    return (
      <Checkbox.Group
        key={name}
        label={say(`reward.${name}`)}
        description={name === 'visibility_segments' && say('reward.visibility_segments.hint')}
        value={chosen}
        error={trouble(name)}
        onChange={(ids) => onChange({ [name]: ids })}
      >
        <div className="row ticks">
          {offered.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </div>
      </Checkbox.Group>
    );
  });
}
