import { LIMIT_INTERVALS } from '@laurel/contract';
import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { dayIn, momentOf } from '../../format/days';
import { DecimalField } from '../../parts/decimal-field';
import { troubleOf } from '../../refusals';
import type { RuleBody } from '../../rule/body';

type Limits = NonNullable<RuleBody['limits']>;

/** How often, how much, how long. */
export function LimitFields({
  rule,
  onChange,
  refused,
}: {
  rule: RuleBody;
  onChange: (change: Partial<RuleBody>) => void;
  refused: unknown;
}): ReactNode {
  const { language, settings } = useConsole();
  const { say } = language;
  const limits = rule.limits ?? {};
  const window = rule.activity_window ?? {};
  const set = (change: { [Name in keyof Limits]: Limits[Name] | null }) => {
    const whole = Object.entries({ ...limits, ...change }).filter(([, value]) => value !== null);
    onChange({ limits: Object.fromEntries(whole) });
  };
  const often = limits.executions_per_client;
  const day = (moment: string | null | undefined) =>
    moment ? dayIn(settings.timezone, new Date(moment)) : '';
  const at = (text: string) => (text ? momentOf(text, settings.timezone) : null);
  return (
    <div className="pair">
      <DecimalField
        label={say('limit.perClient')}
        placeholder="∞"
        value={often?.value ?? null}
        error={troubleOf(refused, 'limits.executions_per_client')}
        onChange={(value) =>
          set({
            executions_per_client:
              value === null ? null : { interval: often?.interval ?? 'day', value },
          })
        }
      />
      <NativeSelect
        label={say('limit.interval')}
        value={often?.interval ?? 'day'}
        disabled={!often}
        onChange={(event) =>
          often &&
          set({
            executions_per_client: { ...often, interval: event.currentTarget.value as 'day' },
          })
        }
        data={LIMIT_INTERVALS.map((value) => ({ value, label: say(`interval.${value}`) }))}
      />
      <DecimalField
        label={say('limit.total')}
        placeholder="∞"
        value={limits.total_executions ?? null}
        error={troubleOf(refused, 'limits.total_executions')}
        onChange={(value) => set({ total_executions: value })}
      />
      <DecimalField
        label={say('limit.budget')}
        placeholder="∞"
        value={limits.total_budget ?? null}
        error={troubleOf(refused, 'limits.total_budget')}
        onChange={(value) => set({ total_budget: value })}
      />
      <TextInput
        type="date"
        label={say('reward.from')}
        value={day(window.start_date)}
        error={troubleOf(refused, 'activity_window.start_date')}
        onChange={(event) =>
          onChange({ activity_window: { ...window, start_date: at(event.currentTarget.value) } })
        }
      />
      <TextInput
        type="date"
        label={say('reward.until')}
        value={day(window.end_date)}
        error={troubleOf(refused, 'activity_window.end_date')}
        onChange={(event) =>
          onChange({ activity_window: { ...window, end_date: at(event.currentTarget.value) } })
        }
      />
    </div>
  );
}
