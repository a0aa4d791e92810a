import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { DecimalField } from '../../parts/decimal-field';
import { choicesOf, withStored } from '../../parts/stored-choice';
import type { Own } from '../../rule/body';
import { askOwn, OWN_OPERATORS, type OwnQuestion, wordOf } from '../../segment/own-field';

interface OwnFieldsProps {
  question: OwnQuestion;
  fields: readonly Own[];
  onChange: (question: OwnQuestion) => void;
}

/** A question to a field of the workspace's own: which, how it is compared, and with what. */
export function OwnFields({ question, fields, onChange }: OwnFieldsProps): ReactNode {
  const { say } = useConsole().language;
  const { kind, operator } = question;
  const operators = OWN_OPERATORS[kind];
  return (
    <div className="row row-end">
      <NativeSelect
        label={say('then.fieldName')}
        value={question.field}
        onChange={({ currentTarget }) =>
          onChange(askOwn(fields.find(({ id }) => id === currentTarget.value)))
        }
        data={withStored(say, choicesOf(fields), question.field)}
      />
      {operators.length > 1 && (
        <NativeSelect
          label={say('compare')}
          value={operator}
          onChange={(event) =>
            onChange({ ...question, operator: event.currentTarget.value as typeof operator })
          }
          data={operators.map((value) => ({ value, label: say(wordOf(kind, value)) }))}
        />
      )}
      <OwnValue question={question} fields={fields} onChange={onChange} />
    </div>
  );
}

/** What the field is held against, by what it holds. */
function OwnValue({ question, fields, onChange }: OwnFieldsProps): ReactNode {
  const { say } = useConsole().language;
  const { field, kind, value } = question;
  const set = (next: OwnQuestion['value']) => onChange({ ...question, value: next });
  const label = say(kind === 'date' ? 'chart.day' : 'if.value');
  switch (kind) {
    case 'number':
      return (
        <DecimalField
          key={field}
          label={label}
          value={Number(value)}
          onChange={(next) => set(next ?? 0)}
        />
      );
    case 'boolean':
      return (
        <NativeSelect
          label={label}
          value={String(value)}
          onChange={(event) => set(event.currentTarget.value === 'true')}
          data={[
            { value: 'true', label: say('yes') },
            { value: 'false', label: say('no') },
          ]}
        />
      );
    case 'choice': {
      const { options = [] } = fields.find(({ id }) => id === field) ?? {};
      return (
        <NativeSelect
          label={label}
          value={String(value)}
          onChange={(event) => set(event.currentTarget.value)}
          data={[...new Set([...options, String(value)])]}
        />
      );
    }
    default:
      return (
        <TextInput
          type={kind === 'date' ? 'date' : 'text'}
          label={label}
          value={String(value)}
          onChange={(event) => set(event.currentTarget.value)}
        />
      );
  }
}
