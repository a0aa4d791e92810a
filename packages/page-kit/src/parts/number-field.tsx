import type { VNode } from 'preact';
import { Field, type FieldProps } from './field';

/**
 * A number, with comma or point. A browser's own field for numbers drops the one that its language does not use, and
 * makes 25 of "2,5" without a word.
 */
export function NumberField({
  form,
  wrong,
  ...field
}: Omit<FieldProps, 'type' | 'pattern' | 'title' | 'form'> & {
  /** What may be typed. */
  form: keyof typeof FORMS;
  /** What the browser says of anything else. */
  wrong: string;
}): VNode {
  const { pattern, inputMode } = FORMS[form];
  return <Field {...field} type="text" pattern={pattern} inputMode={inputMode} title={wrong} />;
}

const FORMS = {
  /** More than nothing, in hundredths. */
  rate: { pattern: '(?=.*[1-9])[0-9]{1,5}([.,][0-9]{1,2})?', inputMode: 'decimal' },
  whole: { pattern: '[0-9]{1,9}', inputMode: 'numeric' },
  any: { pattern: '[\\-−]?[0-9]+([.,][0-9]+)?', inputMode: 'decimal' },
} as const;

/** @param typed what a number field took */
export const numberOf = (typed: string): number =>
  Number(typed.trim().replace(',', '.').replace('−', '-'));
