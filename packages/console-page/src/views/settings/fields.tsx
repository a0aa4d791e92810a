import type { CustomField } from '@laurel/client';
import { FIELD_TYPES } from '@laurel/contract';
import { codeOf } from '@laurel/page-kit/code-of';
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { Loaded, Trouble } from '../../parts/loaded';
import { ManagedMark } from '../../parts/managed';
import { Empty } from '../../parts/page';
import { Sheet } from '../../parts/sheet';
import { Table } from '../../parts/table';
import { useWish } from '../../parts/wish';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';

/** What is known of customers beyond name and address. */
export function Fields(): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const fields = useAsk(['data-model'], () => laurel.dataModel.list());
  const [isOpen, setOpen] = useState(false);
  const remove = useWish(
    (id: string, options) => laurel.dataModel.delete(id, options),
    () => forget('data-model', 'names'),
  );
  const add = (
    <div>
      <Button data-key="c" onClick={() => setOpen(true)}>
        {say('fields.new')}
      </Button>
    </div>
  );
  return (
    <>
      {remove.refused !== null && <Trouble error={remove.refused} />}
      <Loaded query={fields}>
        {(all) => {
          const rows = all.filter(({ is_system }) => !is_system);
          return rows.length === 0 ? (
            <Empty title={say('fields.empty')} action={add}>
              {say('fields.empty.text')}
            </Empty>
          ) : (
            <>
              <Table
                label={say('settings.fields')}
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: say('name'),
                    cell: ({ field_label, field_name }) => (
                      <>
                        {field_label} <ManagedMark kind="data_model" name={field_name} />
                      </>
                    ),
                  },
                  {
                    title: say('currencies.code'),
                    cell: ({ field_name }) => <code>{field_name}</code>,
                    isExtra: true,
                  },
                  {
                    title: say('form.kind'),
                    cell: ({ field_type }) => say(`fieldType.${field_type}`),
                  },
                  {
                    title: say('form.required'),
                    cell: ({ is_required }) => say(is_required ? 'yes' : 'no'),
                  },
                  {
                    title: say('actions'),
                    isActions: true,
                    cell: (row) => (
                      <button
                        type="button"
                        className="text-button"
                        onClick={() => {
                          if (confirm(say('fields.delete.ask', { name: row.field_label })))
                            void remove.send(row.id);
                        }}
                      >
                        {say('delete')}
                        <span className="visually-hidden">: {row.field_label}</span>
                      </button>
                    ),
                  },
                ]}
              />
              {add}
            </>
          );
        }}
      </Loaded>
      {isOpen && <NewField others={fields.data ?? []} onClose={() => setOpen(false)} />}
    </>
  );
}

function NewField({
  others,
  onClose,
}: {
  others: readonly CustomField[];
  onClose: () => void;
}): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const [label, setLabel] = useState('');
  const [type, setType] = useState<CustomField['field_type']>('text');
  const [options, setOptions] = useState('');
  const [isRequired, setRequired] = useState(false);
  const wish = useWish(
    (body: Parameters<typeof laurel.dataModel.create>[0], given) =>
      laurel.dataModel.create(body, given),
    () => {
      forget('data-model', 'names');
      onClose();
    },
  );
  const submit = () => {
    void wish.send({
      field_name: codeOf(label, {
        otherwise: 'field',
        taken: others.map(({ field_name }) => field_name),
      }),
      field_label: label,
      field_type: type,
      is_required: isRequired,
      ...(type === 'select'
        ? {
            options: options
              .split('\n')
              .map((one) => one.trim())
              .filter(Boolean),
          }
        : {}),
    });
  };
  return (
    <Sheet title={say('fields.new')} onClose={onClose}>
      <WishForm wish={wish} onSend={submit} button={say('add')}>
        <TextInput
          label={say('name')}
          data-autofocus
          required
          value={label}
          error={troubleOf(wish.refused, 'field_label') ?? troubleOf(wish.refused, 'field_name')}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <NativeSelect
          label={say('form.kind')}
          value={type}
          onChange={(event) => setType(event.currentTarget.value as 'text')}
          data={FIELD_TYPES.map((value) => ({ value, label: say(`fieldType.${value}`) }))}
        />
        {type === 'select' && (
          <Textarea
            label={say('fields.options')}
            rows={4}
            required
            value={options}
            error={troubleOf(wish.refused, 'options')}
            onChange={(event) => setOptions(event.currentTarget.value)}
          />
        )}
        <Checkbox
          label={say('form.required')}
          checked={isRequired}
          onChange={(event) => setRequired(event.currentTarget.checked)}
        />
      </WishForm>
    </Sheet>
  );
}
