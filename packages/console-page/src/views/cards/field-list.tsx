import type { PassTemplate } from '@laurel/client';
import { newKey } from '@laurel/page-kit/new-key';
import { balanceOf, fieldOf, TIER } from '@laurel/page-kit/placeholders';
import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Row } from '../rules/row';

type Field = PassTemplate['front_fields'][number];

/** Texts of a card with their labels; what differs for each customer is put in from a list. */
export function FieldList({
  label,
  fields,
  onChange,
}: {
  label: string;
  fields: readonly Field[];
  onChange: (fields: Field[]) => void;
}): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const types = useAsk(['wallet-types'], () => laurel.walletTypes.list());
  const placeholders = [
    ...(types.data ?? []).map(({ code, name }) => ({
      value: balanceOf(code),
      label: say('card.put.balance', { name }),
    })),
    { value: fieldOf('first_name'), label: say('customer.first_name') },
    { value: fieldOf('last_name'), label: say('customer.last_name') },
    { value: TIER, label: say('customer.tier') },
  ];
  const replace = (at: number, by: Partial<Field>) =>
    onChange(fields.map((one, index) => (index === at ? { ...one, ...by } : one)));
  const swap = (at: number) => {
    const next = [...fields];
    [next[at - 1], next[at]] = [next[at]!, next[at - 1]!];
    onChange(next);
  };
  return (
    <>
      {fields.map((field, at) => (
        <Row
          key={field.id}
          title={field.label || '…'}
          error={undefined}
          onUp={at > 0 ? () => swap(at) : undefined}
          onRemove={() => onChange(fields.filter(({ id }) => id !== field.id))}
        >
          <div className="row row-end">
            <TextInput
              label={say('form.label')}
              value={field.label ?? ''}
              onChange={(event) => replace(at, { label: event.currentTarget.value })}
            />
            <TextInput
              className="grow"
              label={say('card.text')}
              value={field.value ?? ''}
              onChange={(event) => replace(at, { value: event.currentTarget.value })}
            />
            <NativeSelect
              label={say('card.put')}
              value=""
              onChange={(event) => {
                if (event.currentTarget.value)
                  replace(at, { value: `${field.value ?? ''}${event.currentTarget.value}` });
              }}
              data={[{ value: '', label: say('choose') }, ...placeholders]}
            />
          </div>
        </Row>
      ))}
      <div>
        <button
          type="button"
          className="quiet-button"
          aria-label={`${say('card.addField')}: ${label}`}
          onClick={() =>
            onChange([...fields, { id: `f-${newKey().slice(0, 8)}`, label: '', value: '' }])
          }
        >
          {say('card.addField')}
        </button>
      </div>
    </>
  );
}
