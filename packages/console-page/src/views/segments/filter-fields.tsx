import { Checkbox, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { DayField } from '../../parts/day-field';
import { DecimalField } from '../../parts/decimal-field';
import { choicesOf, withStored } from '../../parts/stored-choice';
import { currencyChoices, type Names } from '../../rule/body';
import { comparedBy, DAY_OPERATORS, DAY_WORDS, type DayOperator } from '../../segment/day';
import {
  type Config,
  configOf,
  type Filter,
  OPERATORS,
  questionOf,
  registeredOf,
  UNTIERED,
} from '../../segment/filters';
import { readOwn, writeOwn } from '../../segment/own-field';
import { OwnFields } from './own-fields';

interface FilterFieldsProps {
  filter: Filter;
  names: Names;
  onChange: (filter: Filter) => void;
}

/** The form of one question; what it cannot show it leaves alone. */
export function FilterFields({ filter, names, onChange }: FilterFieldsProps): ReactNode {
  const { language, settings } = useConsole();
  const { say } = language;
  const config = configOf(filter);
  const set = (by: Config) =>
    onChange({ ...filter, filter_config: { ...config, ...by } } as Filter);
  const compared = (unit?: string) => (
    <>
      <NativeSelect
        label={say('compare')}
        value={config.operator ?? '_gte'}
        onChange={(event) => set({ operator: event.currentTarget.value })}
        data={OPERATORS.map((value) => ({
          value,
          label: say(`compare.${value.slice(1) as 'gte'}`),
        }))}
      />
      <DecimalField
        label={say('if.value')}
        unit={unit}
        value={typeof config.value === 'number' ? config.value : null}
        onChange={(value) => set({ value: value ?? 0 })}
      />
    </>
  );
  switch (questionOf(filter, names)) {
    case 'lastVisit':
      return <div className="row row-end">{compared(say('unit.days'))}</div>;
    case 'visits':
      return <div className="row row-end">{compared()}</div>;
    case 'spending':
      return <div className="row row-end">{compared(settings.default_currency)}</div>;
    case 'balance':
      return (
        <div className="row row-end">
          <NativeSelect
            label={say('overview.currency')}
            value={config.wallet_type_code ?? ''}
            onChange={(event) => set({ wallet_type_code: event.currentTarget.value })}
            data={withStored(say, currencyChoices(names), config.wallet_type_code)}
          />
          {compared()}
        </div>
      );
    case 'tier': {
      const chosen = [config.tier_ids ?? []].flat();
      const none = { value: UNTIERED, label: say('none') };
      return (
        <Checkbox.Group
          label={say('customer.tier')}
          value={chosen}
          onChange={(tier_ids) => set({ tier_ids })}
        >
          <div className="row">
            {withStored(say, [...choicesOf(names.tiers), none], chosen).map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </div>
        </Checkbox.Group>
      );
    }
    case 'consent':
      return (
        <Checkbox
          label={say('customer.consent.ask')}
          checked={config.value === true}
          onChange={(event) => set({ value: event.currentTarget.checked })}
        />
      );
    case 'card':
      return (
        <Checkbox
          label={say('filter.card.yes')}
          checked={config.has_pass === true}
          onChange={(event) => set({ has_pass: event.currentTarget.checked })}
        />
      );
    case 'registered':
      return <Registered config={config} onChange={set} />;
    case 'segment':
      return (
        <div className="row row-end">
          <NativeSelect
            label={say('customers.segment')}
            value={config.segment_id ?? ''}
            onChange={(event) => set({ segment_id: event.currentTarget.value })}
            data={withStored(say, choicesOf(names.segments), config.segment_id)}
          />
          <Checkbox
            label={say('filter.negate')}
            checked={config.negate ?? false}
            onChange={(event) => set({ negate: event.currentTarget.checked })}
          />
        </div>
      );
    case 'custom':
      return (
        <OwnFields
          question={readOwn(config.custom_field_filters ?? {}, names.fields)!}
          fields={names.fields}
          onChange={(own) => set({ custom_field_filters: writeOwn(own) })}
        />
      );
    default:
      return null;
  }
}

/** Since when somebody is a customer, by days of the workspace. */
function Registered({
  config,
  onChange,
}: {
  config: Config;
  onChange: (change: Config) => void;
}): ReactNode {
  const { language, settings } = useConsole();
  const { say } = language;
  const compared = registeredOf(config);
  const by = (operator: DayOperator) => comparedBy(operator, compared, settings.timezone);
  return (
    <div className="row row-end">
      <NativeSelect
        label={say('compare')}
        value={compared.operator}
        onChange={(event) => {
          const operator = event.currentTarget.value as DayOperator;
          onChange({ operator, value: by(operator) });
        }}
        data={DAY_OPERATORS.map((value) => ({ value, label: say(DAY_WORDS[value]) }))}
      />
      <DayField
        // What is typed of a day is of the edge that is meant.
        key={compared.operator}
        isLast={compared.operator === '_lte'}
        label={say('chart.day')}
        value={by(compared.operator) || null}
        error={undefined}
        onChange={(moment) => onChange({ value: moment ?? '' })}
      />
    </div>
  );
}
