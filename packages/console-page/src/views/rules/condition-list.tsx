import { CLIENT_METRICS } from '@laurel/contract';
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { DecimalField } from '../../parts/decimal-field';
import { choicesOf, withStored } from '../../parts/stored-choice';
import { troubleOfRow } from '../../refusals';
import {
  COMPARISONS,
  CONDITIONS,
  type Condition,
  type ConditionKind,
  currencyChoices,
  newCondition,
} from '../../rule/body';
import { readCondition } from '../../rule/formula';
import { type Telling, tellCondition } from '../../rule/sentence';
import { ExpressionFields } from './expression-fields';
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
      {conditions.map((condition, at) => {
        const trouble = troubleOfRow(refused, `conditions.${at}`, shownOf(condition));
        return (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no id
            key={at}
            title={tellCondition(telling, condition)}
            error={trouble.rest}
            onRemove={() => onChange(conditions.filter((_, index) => index !== at))}
          >
            <ConditionFields
              condition={condition}
              telling={telling}
              troubleAt={trouble.at}
              onChange={(next) => replace(at, next)}
            />
          </Row>
        );
      })}
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

/** The members that a condition has a field for: days and hours are ticked, which cannot be wrong. */
const shownOf = (condition: Condition): readonly string[] =>
  condition.type === 'expression' && readCondition(condition.expression).kind !== 'formula'
    ? []
    : FIELDS;
const FIELDS = [
  'expression',
  'tier_id',
  'segment_id',
  'wallet_type_code',
  'metric',
  'operator',
  'value',
  'period_days',
];

type TroubleAt = (member: string) => string | undefined;

function ConditionFields({
  condition,
  telling,
  troubleAt,
  onChange,
}: {
  condition: Condition;
  telling: Telling;
  troubleAt: TroubleAt;
  onChange: (condition: Condition) => void;
}): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const { names } = telling;
  switch (condition.type) {
    case 'expression':
      return (
        <ExpressionFields
          expression={condition.expression}
          telling={telling}
          error={troubleAt('expression')}
          onChange={(expression) => onChange({ ...condition, expression })}
        />
      );
    case 'tier':
      return (
        <NativeSelect
          label={say('customer.tier')}
          value={condition.tier_id}
          error={troubleAt('tier_id')}
          onChange={(event) => onChange({ ...condition, tier_id: event.currentTarget.value })}
          data={withStored(say, choicesOf(names.tiers), condition.tier_id)}
        />
      );
    case 'segment':
      return (
        <NativeSelect
          label={say('customers.segment')}
          value={condition.segment_id}
          error={troubleAt('segment_id')}
          onChange={(event) => onChange({ ...condition, segment_id: event.currentTarget.value })}
          data={withStored(say, choicesOf(names.segments), condition.segment_id)}
        />
      );
    case 'wallet_balance':
      return (
        <div className="row row-end">
          <NativeSelect
            label={say('overview.currency')}
            value={condition.wallet_type_code}
            error={troubleAt('wallet_type_code')}
            onChange={(event) =>
              onChange({ ...condition, wallet_type_code: event.currentTarget.value })
            }
            data={withStored(say, currencyChoices(names), condition.wallet_type_code)}
          />
          <Compared
            condition={condition}
            troubleAt={troubleAt}
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
            error={troubleAt('metric')}
            onChange={(event) => {
              const { wallet_type_code: _, ...rest } = condition;
              onChange({ ...rest, metric: event.currentTarget.value as 'points_earned' });
            }}
            data={CLIENT_METRICS.map((value) => ({ value, label: say(`metric.${value}`) }))}
          />
          <PointsOf
            condition={condition}
            names={names}
            error={troubleAt('wallet_type_code')}
            onChange={onChange}
          />
          <Compared
            condition={condition}
            troubleAt={troubleAt}
            onChange={(compared) => onChange({ ...condition, ...compared })}
          />
          <DecimalField
            label={say('if.period')}
            placeholder={say('if.ever')}
            value={condition.period_days ?? null}
            error={troubleAt('period_days')}
            onChange={(value) => {
              const { period_days: _, ...rest } = condition;
              onChange(value === null ? rest : { ...rest, period_days: value });
            }}
          />
        </div>
      );
  }
}

/** Of which currency points are counted, where that is a question. */
function PointsOf({
  condition,
  names,
  error,
  onChange,
}: {
  condition: Extract<Condition, { type: 'client_metric' }>;
  names: Telling['names'];
  error: string | undefined;
  onChange: (condition: Condition) => void;
}): ReactNode {
  const { say } = useConsole().language;
  const { wallet_type_code: code, ...rest } = condition;
  const isOpen = names.currencies.length > 1 || code !== undefined;
  if (condition.metric !== 'points_earned' || !isOpen) return null;
  return (
    <NativeSelect
      label={say('overview.currency')}
      value={code ?? ''}
      error={error}
      onChange={({ currentTarget: { value } }) =>
        onChange(value === '' ? rest : { ...rest, wallet_type_code: value })
      }
      data={[
        { value: '', label: say('if.allCurrencies') },
        ...withStored(say, currencyChoices(names), code),
      ]}
    />
  );
}

interface Comparison {
  operator: (typeof COMPARISONS)[number];
  value: number;
}

/** What a figure is held against. */
function Compared({
  condition: { operator, value },
  troubleAt,
  onChange,
}: {
  condition: Comparison;
  troubleAt: TroubleAt;
  onChange: (compared: Partial<Comparison>) => void;
}): ReactNode {
  const { say } = useConsole().language;
  return (
    <>
      <NativeSelect
        label={say('compare')}
        value={operator}
        error={troubleAt('operator')}
        onChange={(event) =>
          onChange({ operator: event.currentTarget.value as Comparison['operator'] })
        }
        data={COMPARISONS.map((one) => ({ value: one, label: say(`compare.${one}`) }))}
      />
      <DecimalField
        label={say('if.value')}
        value={value}
        error={troubleAt('value')}
        onChange={(next) => onChange({ value: next ?? 0 })}
      />
    </>
  );
}
