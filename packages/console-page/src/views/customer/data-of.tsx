import type { Client, CustomField } from '@laurel/client';
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk, useAskAgain } from '../../parts/ask';
import { DecimalField } from '../../parts/decimal-field';
import { useDraft } from '../../parts/draft';
import { Panel } from '../../parts/page';
import { SaveBar } from '../../parts/save-bar';
import { useWish } from '../../parts/wish';
import { troubleOf } from '../../refusals';

const FIELDS = ['first_name', 'last_name', 'email', 'phone', 'birth_date'] as const;
const INPUTS: Readonly<Record<string, string>> = {
  email: 'email',
  phone: 'tel',
  birth_date: 'date',
  date: 'date',
  url: 'url',
};

/** What is known of a person, to be put right. */
export function DataOf({ client }: { client: Client }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const askAgain = useAskAgain();
  const fields = useAsk(['data-model'], () => laurel.dataModel.list());
  const { draft, isDirty, set, drop, settle } = useDraft<Client>();
  const whole = { ...client, ...draft };
  const custom = { ...client.custom_fields, ...draft.custom_fields } as Record<string, unknown>;
  const wish = useWish(
    (body: Partial<Client>, options) => laurel.clients.update(client.id, body as never, options),
    async (_saved, sent) => {
      await askAgain('customer', 'customers');
      settle(sent);
    },
  );
  const isReadOnly = client.status === 'anonymized';
  const setCustom = (name: string, value: unknown) =>
    set((now) => ({ custom_fields: { ...now.custom_fields, [name]: value } }));
  const own = (fields.data ?? []).filter(({ is_system }) => !is_system);
  return (
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      <Panel>
        <fieldset className="plain fields" disabled={isReadOnly}>
          {FIELDS.map((field) => (
            <TextInput
              key={field}
              label={say(`customer.${field}`)}
              type={INPUTS[field] ?? 'text'}
              value={whole[field] ?? ''}
              error={troubleOf(wish.refused, field)}
              onChange={(event) => set({ [field]: event.currentTarget.value || null })}
            />
          ))}
          <Checkbox
            label={say('customer.isIn')}
            description={say('customer.isIn.hint')}
            checked={whole.loyalty_program_enabled}
            onChange={(event) => set({ loyalty_program_enabled: event.currentTarget.checked })}
          />
          {own.map((field) => (
            <CustomInput
              key={field.id}
              field={field}
              value={custom[field.field_name]}
              error={troubleOf(wish.refused, `custom_fields.${field.field_name}`)}
              onChange={(value) => setCustom(field.field_name, value)}
            />
          ))}
        </fieldset>
      </Panel>
      <SaveBar
        isDirty={isDirty}
        wish={wish}
        fields={[...FIELDS, ...own.map(({ field_name }) => `custom_fields.${field_name}`)]}
        onSave={() => void wish.send(draft)}
        onReset={drop}
      />
    </form>
  );
}

interface CustomInputProps {
  field: CustomField;
  value: unknown;
  error: string | undefined;
  onChange: (value: unknown) => void;
}

/** A field of the workspace's own, by its kind. */
function CustomInput({ field, value, error, onChange }: CustomInputProps): ReactNode {
  const common = { label: field.field_label, required: field.is_required, error };
  if (field.field_type === 'boolean')
    return (
      <Checkbox
        label={field.field_label}
        checked={value === true}
        error={error}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  if (field.field_type === 'number')
    return (
      <DecimalField
        {...common}
        value={typeof value === 'number' ? value : null}
        onChange={onChange}
      />
    );
  if (field.field_type === 'select')
    return (
      <NativeSelect
        {...common}
        value={String(value ?? '')}
        onChange={(event) => onChange(event.currentTarget.value || null)}
        // What is offered no more is still theirs: it must not look like nothing.
        data={[...new Set(['', ...field.options, String(value ?? '')])]}
      />
    );
  return (
    <TextInput
      {...common}
      type={INPUTS[field.field_type] ?? 'text'}
      value={String(value ?? '')}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  );
}
