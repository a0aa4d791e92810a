import { CLIENT_METRICS } from '@laurel/contract';
import { Checkbox, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { DecimalField } from '../../parts/decimal-field';
import { troubleOf } from '../../refusals';
import {
  COMPARISONS,
  CONDITIONS,
  type Condition,
  type ConditionKind,
  newCondition,
} from '../../rule/body';
import { readCondition, writeCondition } from '../../rule/formula';
import { type Telling, tellCondition } from '../../rule/sentence';
import { FormulaField } from './formula-field';
import { Row } from './row';

interface ConditionListProps {
  conditions: readonly Condition[];
  onChange: (conditions: Condition[]) => void;
  telling: Telling;
  refused: unknown;
}

/** All of them must hold. */
export function ConditionList({
  conditions,
  onChange,
  telling,
  refused,
}: ConditionListProps): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const { names } = telling;
  const can: Partial<Record<ConditionKind, boolean>> = {
    tier: names.tiers.length > 0,
    segment: names.segments.length > 0,
    wallet_balance: names.currencies.length > 0,
  };
  const replace = (at: number, condition: Condition) =>
    onChange(conditions.map((one, index) => (index === at ? condition : one)));
  return (
    <>
      {conditions.length === 0 && <p className="hint">{say('if.none')}</p>}
      {conditions.map((condition, at) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no id
          key={at}
          title={tellCondition(telling, condition)}
          error={troubleOf(refused, `conditions[${at}]`) ?? troubleOf(refused, `conditions.${at}`)}
          onRemove={() => onChange(conditions.filter((_, index) => index !== at))}
        >
          <ConditionFields
            condition={condition}
            telling={telling}
            onChange={(next) => replace(at, next)}
          />
        </Row>
      ))}
      <NativeSelect
        label={say('if.add')}
        value=""
        onChange={(event) => {
          const kind = event.currentTarget.value as ConditionKind;
          if (kind) onChange([...conditions, newCondition(kind, names)]);
        }}
        data={[
          { value: '', label: say('choose') },
          ...CONDITIONS.map((value) => ({
            value,
            label: say(`if.kind.${value}`),
            disabled: can[value] === false,
          })),
        ]}
      />
    </>
  );
}

function ConditionFields({
  condition,
  telling,
  onChange,
}: {
  condition: Condition;
  telling: Telling;
  onChange: (condition: Condition) => void;
}): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const { names } = telling;
  const pick = (list: readonly { id: string; name: string }[]) =>
    list.map(({ id, name }) => ({ value: id, label: name }));
  switch (condition.type) {
    case 'expression':
      return (
        <ExpressionFields
          expression={condition.expression}
          telling={telling}
          onChange={(expression) => onChange({ ...condition, expression })}
        />
      );
    case 'tier':
      return (
        <NativeSelect
          label={say('customer.tier')}
          value={condition.tier_id}
          onChange={(event) => onChange({ ...condition, tier_id: event.currentTarget.value })}
          data={pick(names.tiers)}
        />
      );
    case 'segment':
      return (
        <NativeSelect
          label={say('customers.segment')}
          value={condition.segment_id}
          onChange={(event) => onChange({ ...condition, segment_id: event.currentTarget.value })}
          data={pick(names.segments)}
        />
      );
    case 'wallet_balance':
      return (
        <div className="row row-end">
          <NativeSelect
            label={say('overview.currency')}
            value={condition.wallet_type_code}
            onChange={(event) =>
              onChange({ ...condition, wallet_type_code: event.currentTarget.value })
            }
            data={names.currencies.map(({ code, name }) => ({ value: code, label: name }))}
          />
          <Compared
            condition={condition}
            onChange={(compared) => onChange({ ...condition, ...compared })}
          />
        </div>
      );
    case 'client_metric':
      return (
        <div className="row row-end">
          <NativeSelect
            label={say('if.measure')}
            value={condition.metric}
            onChange={(event) =>
              onChange({ ...condition, metric: event.currentTarget.value as 'points_earned' })
            }
            data={CLIENT_METRICS.map((value) => ({ value, label: say(`metric.${value}`) }))}
          />
          <Compared
            condition={condition}
            onChange={(compared) => onChange({ ...condition, ...compared })}
          />
          <DecimalField
            label={say('if.period')}
            placeholder={say('if.ever')}
            value={condition.period_days ?? null}
            onChange={(value) => {
              const { period_days: _, ...rest } = condition;
              onChange(value === null ? rest : { ...rest, period_days: value });
            }}
          />
        </div>
      );
  }
}

interface Comparison {
  operator: (typeof COMPARISONS)[number];
  value: number;
}

/** What a figure is held against. */
function Compared({
  condition: { operator, value },
  onChange,
}: {
  condition: Comparison;
  onChange: (compared: Partial<Comparison>) => void;
}): ReactNode {
  const { say } = useConsole().language;
  return (
    <>
      <NativeSelect
        label={say('compare')}
        value={operator}
        onChange={(event) =>
          onChange({ operator: event.currentTarget.value as Comparison['operator'] })
        }
        data={COMPARISONS.map((one) => ({ value: one, label: say(`compare.${one}`) }))}
      />
      <DecimalField
        label={say('if.value')}
        value={value}
        onChange={(next) => onChange({ value: next ?? 0 })}
      />
    </>
  );
}

const HOURS = Array.from({ length: 25 }, (_, hour) => String(hour));

function ExpressionFields({
  expression,
  telling,
  onChange,
}: {
  expression: string;
  telling: Telling;
  onChange: (expression: string) => void;
}): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const pill = readCondition(expression);
  if (pill.kind === 'birthday') return null;
  if (pill.kind === 'formula')
    return (
      <FormulaField
        label={say('formula')}
        value={pill.text}
        onChange={onChange}
        expects="boolean"
      />
    );
  const hours = pill.hours;
  return (
    <>
      <Checkbox.Group
        label={say('if.days')}
        value={pill.days.map(String)}
        onChange={(days) => onChange(writeCondition({ ...pill, days: days.map(Number).sort() }))}
      >
        <div className="row">
          {telling.days.map((name, at) => (
            <Checkbox key={name} value={String(at + 1)} label={name} />
          ))}
        </div>
      </Checkbox.Group>
      <div className="row row-end">
        <Checkbox
          label={say('if.betweenHours')}
          checked={hours !== null}
          onChange={(event) =>
            onChange(
              writeCondition({
                ...pill,
                hours: event.currentTarget.checked ? { from: 8, to: 11 } : null,
              }),
            )
          }
        />
        {hours && (
          <>
            <NativeSelect
              label={say('if.fromHour')}
              value={String(hours.from)}
              onChange={(event) => {
                const from = Number(event.currentTarget.value);
                onChange(
                  writeCondition({ ...pill, hours: { from, to: Math.max(from + 1, hours.to) } }),
                );
              }}
              data={HOURS.slice(0, 24)}
            />
            <NativeSelect
              label={say('if.toHour')}
              value={String(hours.to)}
              onChange={(event) => {
                const to = Number(event.currentTarget.value);
                onChange(
                  writeCondition({ ...pill, hours: { from: Math.min(hours.from, to - 1), to } }),
                );
              }}
              data={HOURS.slice(1)}
            />
          </>
        )}
      </div>
    </>
  );
}
