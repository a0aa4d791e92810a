import { LIMIT_INTERVALS } from '@laurel/contract';
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import type { WordKey } from '../../language';
import { DayField } from '../../parts/day-field';
import { DecimalField } from '../../parts/decimal-field';
import { troubleOf } from '../../refusals';
import type { RuleBody } from '../../rule/body';

type Limits = NonNullable<RuleBody['limits']>;

/** Limits that are one number. */
const MOST = [
  ['limit.total', 'total_executions'],
  ['limit.budget', 'total_budget'],
  ['limit.clientBudget', 'per_client_budget'],
] as const satisfies readonly [WordKey, keyof Limits][];

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
  const { say } = useConsole().language;
  const limits = rule.limits ?? {};
  const window = rule.activity_window ?? {};
  const set = (change: { [Name in keyof Limits]: Limits[Name] | null }) => {
    const whole = Object.entries({ ...limits, ...change }).filter(([, value]) => value !== null);
    onChange({ limits: Object.fromEntries(whole) });
  };
  const often = limits.executions_per_client;
  return (
    <>
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
        {MOST.map(([label, name]) => (
          <DecimalField
            key={name}
            label={say(label)}
            placeholder="∞"
            value={limits[name] ?? null}
            error={troubleOf(refused, `limits.${name}`)}
            onChange={(value) => set({ [name]: value })}
          />
        ))}
      </div>
      <div className="pair">
        <DayField
          label={say('reward.from')}
          value={window.start_date}
          error={troubleOf(refused, 'activity_window.start_date')}
          onChange={(start_date) => onChange({ activity_window: { ...window, start_date } })}
        />
        <DayField
          isLast
          label={say('reward.until')}
          value={window.end_date}
          error={troubleOf(refused, 'activity_window.end_date')}
          onChange={(end_date) => onChange({ activity_window: { ...window, end_date } })}
        />
      </div>
    </>
  );
}
