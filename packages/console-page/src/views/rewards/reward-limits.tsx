import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { DayField } from '../../parts/day-field';
import { DecimalField } from '../../parts/decimal-field';
import { Panel } from '../../parts/page';
import { AudienceFields, type RewardFields } from './audience-fields';

/** How often, when and by whom a reward can be had, and what it is worth. */
export function RewardLimits({ reward, trouble, onChange }: RewardFields): ReactNode {
  const { language, settings } = useConsole();
  const { say } = language;
  return (
    <Panel title={say('reward.limits')}>
      <div className="row row-end">
        <DecimalField
          label={say('reward.limit.total')}
          placeholder="∞"
          value={reward.usage_limit ?? null}
          error={trouble('usage_limit')}
          onChange={(value) => onChange({ usage_limit: value })}
        />
        <DecimalField
          label={say('reward.limit.client')}
          placeholder="∞"
          value={reward.usage_limit_per_client ?? null}
          error={trouble('usage_limit_per_client')}
          onChange={(value) => onChange({ usage_limit_per_client: value })}
        />
        <DayField
          label={say('reward.from')}
          value={reward.availability_start}
          error={trouble('availability_start')}
          onChange={(availability_start) => onChange({ availability_start })}
        />
        <DayField
          isLast
          label={say('reward.until')}
          value={reward.availability_end}
          error={trouble('availability_end')}
          onChange={(availability_end) => onChange({ availability_end })}
        />
      </div>
      <DecimalField
        label={say('reward.value')}
        description={say('reward.value.hint')}
        unit={settings.default_currency}
        value={reward.monetary_value ?? null}
        error={trouble('monetary_value')}
        onChange={(value) => onChange({ monetary_value: value })}
      />
      <AudienceFields reward={reward} trouble={trouble} onChange={onChange} />
      <TextInput
        label={`${say('reward.codes')}: ${say('reward.pattern')}`}
        description={say('reward.pattern.hint')}
        value={reward.code_pattern ?? ''}
        error={trouble('code_pattern')}
        onChange={(event) => onChange({ code_pattern: event.currentTarget.value || null })}
      />
    </Panel>
  );
}
