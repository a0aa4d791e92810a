import type { TriggerRole } from '@laurel/contract';
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { DecimalField } from '../../parts/decimal-field';
import { troubleOf } from '../../refusals';
import { type RuleBody, TRIGGERS, type TriggerType } from '../../rule/body';
import { sayEventType } from '../../rule/sentence';
import { FriendsAreOff } from './friends';
import { WordsField } from './words-field';

interface TriggerFieldsProps {
  rule: RuleBody;
  onChange: (change: Partial<RuleBody>) => void;
  refused: unknown;
}

const CATEGORY: Partial<Record<TriggerType, string[]>> = {
  transaction: ['transaction'],
  custom_event: ['custom', 'engagement'],
  pass_lifecycle: ['pass_lifecycle'],
  loyalty: ['loyalty'],
  referral: ['referral'],
};
const ROLES: readonly TriggerRole[] = ['any', 'referrer', 'referee'];
const HOUR = /^(\d{1,2}) (\d{1,2}) \* \* \*$/;

/** What has to happen for a rule to be asked. */
export function TriggerFields({ rule, onChange, refused }: TriggerFieldsProps): ReactNode {
  const { language, settings } = useConsole();
  const { say } = language;
  const config = rule.trigger_config ?? {};
  const set = (change: NonNullable<RuleBody['trigger_config']>) => {
    const whole = Object.entries({ ...config, ...change }).filter(
      ([, value]) => value !== undefined,
    );
    onChange({ trigger_config: Object.fromEntries(whole) });
  };
  const clear = (name: string) => {
    const rest = Object.entries(config).filter(([key]) => key !== name);
    onChange({ trigger_config: Object.fromEntries(rest) });
  };
  return (
    <>
      <NativeSelect
        label={say('rule.trigger')}
        value={rule.trigger_type}
        onChange={(event) =>
          onChange({
            trigger_type: event.currentTarget.value as TriggerType,
            trigger_config:
              event.currentTarget.value === 'time_based' ? { schedule: { cron: '0 9 * * *' } } : {},
          })
        }
        data={TRIGGERS.map((value) => ({ value, label: say(`trigger.${value}`) }))}
      />
      {CATEGORY[rule.trigger_type] && (
        <EventTypes
          categories={CATEGORY[rule.trigger_type]!}
          chosen={config.event_types ?? []}
          isOpen={rule.trigger_type === 'custom_event'}
          onChange={(types) =>
            types.length > 0 ? set({ event_types: types }) : clear('event_types')
          }
        />
      )}
      {rule.trigger_type === 'transaction' && (
        <div className="pair">
          <DecimalField
            label={say('when.min')}
            unit={settings.default_currency}
            value={config.min_amount ?? null}
            error={troubleOf(refused, 'trigger_config.min_amount')}
            onChange={(value) =>
              value === null ? clear('min_amount') : set({ min_amount: value })
            }
          />
          <DecimalField
            label={say('when.max')}
            unit={settings.default_currency}
            value={config.max_amount ?? null}
            error={troubleOf(refused, 'trigger_config.max_amount')}
            onChange={(value) =>
              value === null ? clear('max_amount') : set({ max_amount: value })
            }
          />
        </div>
      )}
      {rule.trigger_type === 'field_change' && (
        <WordsField
          label={say('when.fields')}
          value={config.field_names ?? []}
          error={troubleOf(refused, 'trigger_config.field_names')}
          onChange={(field_names) => set({ field_names })}
        />
      )}
      {rule.trigger_type === 'referral' && (
        <>
          <FriendsAreOff />
          <NativeSelect
            label={say('when.role')}
            value={config.role ?? 'any'}
            onChange={(event) => set({ role: event.currentTarget.value as 'any' })}
            data={ROLES.map((value) => ({
              value,
              label: say(`role.${value}`),
            }))}
          />
        </>
      )}
      {rule.trigger_type === 'time_based' && (
        <Schedule
          cron={config.schedule?.cron ?? ''}
          zone={config.schedule?.timezone}
          // A zone of its own stays: it goes before the workspace's.
          onChange={(cron) => set({ schedule: { ...config.schedule, cron } })}
          refused={refused}
        />
      )}
    </>
  );
}

function EventTypes({
  categories,
  chosen,
  isOpen,
  onChange,
}: {
  categories: readonly string[];
  chosen: readonly string[];
  /** Whether there are others than the platform knows. */
  isOpen: boolean;
  onChange: (types: string[]) => void;
}): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const metadata = useAsk(['metadata'], () => laurel.automations.getMetadata());
  const known = categories.flatMap(
    (category) => (metadata.data?.event_types_by_category[category] as string[] | undefined) ?? [],
  );
  const others = chosen.filter((type) => !known.includes(type));
  return (
    <>
      {known.length > 0 && (
        <Checkbox.Group
          label={say('when.types')}
          description={say('when.types.hint')}
          value={[...chosen]}
          onChange={onChange}
        >
          <div className="row ticks">
            {[...known, ...(isOpen ? [] : others)].map((type) => (
              <Checkbox key={type} value={type} label={sayEventType(language, type)} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      {isOpen && (
        <WordsField
          label={say('when.own')}
          value={others}
          onChange={(own) =>
            onChange([...new Set([...chosen.filter((type) => known.includes(type)), ...own])])
          }
        />
      )}
    </>
  );
}

/** Every day at an hour; anything else is written as cron. */
function Schedule({
  cron,
  zone,
  onChange,
  refused,
}: {
  cron: string;
  /** Whose clock it goes by where that is not the workspace's. */
  zone: string | undefined;
  onChange: (cron: string) => void;
  refused: unknown;
}): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const daily = HOUR.exec(cron);
  const time = daily ? `${daily[2]!.padStart(2, '0')}:${daily[1]!.padStart(2, '0')}` : '';
  return (
    <div className="pair">
      <TextInput
        type="time"
        label={say('when.daily')}
        description={zone}
        value={time}
        onChange={(event) => {
          const [hour, minute] = event.currentTarget.value.split(':').map(Number);
          if (hour !== undefined && minute !== undefined) onChange(`${minute} ${hour} * * *`);
        }}
      />
      <TextInput
        label={say('when.cron')}
        value={cron}
        error={troubleOf(refused, 'trigger_config.schedule')}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
