import type { ClientImportCheck } from '@laurel/client';
import { customFieldPath } from '@laurel/contract';
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { lineInWords } from '../../in-words';
import { Notice } from '../../parts/notice';
import { Table } from '../../parts/table';
import { FIELDS, nameOfField } from './fields';

const PROBLEMS_SHOWN = 10;

/** As which field each column is read; null leaves it out. */
export type Mapping = Record<string, string | null>;

/** How a file would be read, and as what each of its columns: changed here before anything is imported. */
export function ImportCheck({
  check,
  mapping,
  ownFields,
  isOld,
  onChange,
}: {
  check: ClientImportCheck;
  mapping: Mapping;
  ownFields: readonly string[];
  isOld: boolean;
  onChange: (mapping: Mapping) => void;
}): ReactNode {
  const { say } = useConsole().language;
  const { columns, rows, problems, rows_read, is_whole } = check;
  const fields = [...new Set(rows.flatMap(({ client }) => Object.keys(client ?? {})))];
  const nameOf = (field: string) => nameOfField(say, field);
  return (
    <>
      {columns.length > 0 && (
        <fieldset className="stack">
          <legend>{say('import.mapping')}</legend>
          {columns.map(({ column, field }) => {
            const value = mapping[column] === undefined ? (field ?? '') : (mapping[column] ?? '');
            const choices = [...FIELDS, ...ownFields.map(customFieldPath)];
            // What the file names by a field of ours that is in no list stays as it is.
            const all = value === '' || choices.includes(value) ? choices : [...choices, value];
            return (
              <NativeSelect
                key={column}
                label={column || '–'}
                value={value}
                onChange={(event) =>
                  onChange({ ...mapping, [column]: event.currentTarget.value || null })
                }
                data={[
                  { value: '', label: say('import.leaveOut') },
                  ...all.map((each) => ({ value: each, label: nameOf(each) })),
                ]}
              />
            );
          })}
        </fieldset>
      )}
      {problems.length > 0 && (
        <Notice kind="warn">
          <p>{say('import.problems')}</p>
          <ul>
            {problems.slice(0, PROBLEMS_SHOWN).map(({ row, message }) => (
              <li key={`${row} ${message}`}>
                {row === 0
                  ? message
                  : say('import.row', { row, message: lineInWords(say, message, nameOf) })}
              </li>
            ))}
            {problems.length > PROBLEMS_SHOWN && (
              <li>{say('import.problems.more', { count: problems.length - PROBLEMS_SHOWN })}</li>
            )}
          </ul>
        </Notice>
      )}
      {rows.length > 0 && (
        <Table
          label={say('import.preview')}
          isOld={isOld}
          keyOf={({ row }) => String(row)}
          rows={rows}
          columns={[
            { title: say('import.line'), cell: ({ row }) => row },
            ...fields.map((field) => ({
              title: nameOf(field),
              cell: ({ client }: (typeof rows)[number]) => shown(client?.[field]),
            })),
            {
              title: say('state'),
              cell: ({ problem, client_id }) =>
                problem !== null
                  ? say('import.unread')
                  : say(client_id === null ? 'import.new' : 'import.known'),
            },
          ]}
        />
      )}
      <p className="hint" role="status">
        {say(is_whole ? 'import.read' : 'import.readPart', { count: rows_read })}
      </p>
    </>
  );
}

const shown = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
