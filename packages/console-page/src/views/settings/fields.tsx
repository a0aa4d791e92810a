import type { CustomField } from '@laurel/client';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { Loaded, Trouble } from '../../parts/loaded';
import { ManagedMark } from '../../parts/managed';
import { NamedButton } from '../../parts/named-button';
import { Empty } from '../../parts/page';
import { Table } from '../../parts/table';
import { useWish } from '../../parts/wish';
import { FieldSheet } from './field-sheet';

/** What is known of customers beyond name and address. */
export function Fields(): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const fields = useAsk(['data-model'], () => laurel.dataModel.list());
  const [isOpen, setOpen] = useState(false);
  const [edited, setEdited] = useState<CustomField | null>(null);
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
                      <span className="row">
                        <NamedButton name={row.field_label} onClick={() => setEdited(row)}>
                          {say('edit')}
                        </NamedButton>
                        <NamedButton
                          name={row.field_label}
                          onClick={() => {
                            if (confirm(say('fields.delete.ask', { name: row.field_label })))
                              void remove.send(row.id);
                          }}
                        >
                          {say('delete')}
                        </NamedButton>
                      </span>
                    ),
                  },
                ]}
              />
              {add}
            </>
          );
        }}
      </Loaded>
      {isOpen && <FieldSheet others={fields.data ?? []} onClose={() => setOpen(false)} />}
      {edited && (
        <FieldSheet field={edited} others={fields.data ?? []} onClose={() => setEdited(null)} />
      )}
    </>
  );
}
