import { Field, NumberField, numberOf } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { useTill } from '../context';
import type { FormField } from '../shapes';

type Option = NonNullable<FormField['options']>[number];

const INPUT_TYPES: Readonly<Partial<Record<FormField['type'], string>>> = {
  email: 'email',
  phone: 'tel',
  date: 'date',
};

/** A question that the owner wants answered with an action. */
export function Answer({ field }: { field: FormField }): VNode {
  const { name, label, type, required = false, placeholder, options } = field;
  const { say } = useTill().language;
  const id = useId();
  if (type === 'checkbox')
    return (
      <label class="row">
        <input class="tick" type="checkbox" name={name} />
        {label}
      </label>
    );
  if (type === 'select' && options)
    return (
      <div class="field">
        <label for={id}>{label}</label>
        <select id={id} name={name} required={required}>
          {!required && <option value="" />}
          {options.flatMap(choiceOf).map(({ value, shown }) => (
            <option value={value} key={value}>
              {shown}
            </option>
          ))}
        </select>
      </div>
    );
  const asked = { label, name, required, placeholder: placeholder ?? undefined };
  return type === 'number' ? (
    <NumberField {...asked} form="any" wrong={say('entry.noNumber')} />
  ) : (
    <Field {...asked} type={INPUT_TYPES[type] ?? 'text'} />
  );
}

/** An option as it is shown and sent; what is neither a value nor has a label cannot be chosen. */
function choiceOf(option: Option | null): { value: string; shown: string }[] {
  const { value, label } = typeof option === 'object' ? (option ?? {}) : { value: option };
  const chosen = value ?? label;
  return chosen === undefined ? [] : [{ value: String(chosen), shown: label ?? String(chosen) }];
}

/** What is sent for a field; nothing where nothing was answered. */
export function answerOf(
  { name, type }: FormField,
  typed: string | undefined,
): [string, unknown][] {
  if (type === 'checkbox') return [[name, typed === 'on']];
  if (typed === undefined || typed === '') return [];
  return [[name, type === 'number' ? numberOf(typed) : typed]];
}
