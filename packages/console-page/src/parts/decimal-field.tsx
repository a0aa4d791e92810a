import { TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { parseDecimal, writeDecimal } from '../format/decimal';
import { useText } from '../text';
import { NO_NUMBER, TAKEN_BACK } from './no-number';

interface DecimalFieldProps {
  label: string;
  value: number | null;
  /** Null where nothing is there, or no number. */
  onChange: (value: number | null) => void;
  description?: ReactNode;
  error?: string | undefined;
  required?: boolean;
  unit?: string | undefined;
  placeholder?: string;
  disabled?: boolean;
  isLabelHidden?: boolean;
}

/** A number, with comma or point, as the member is used to. */
export function DecimalField({
  value,
  onChange,
  unit,
  label,
  error,
  isLabelHidden = false,
  ...rest
}: DecimalFieldProps): ReactNode {
  const { locale, say } = useText();
  const [text, setText] = useState(() => writeDecimal(value, locale));
  const isWrong = text.trim() !== '' && parseDecimal(text, locale) === null;
  const isTyped = useRef(false);
  useEffect(() => {
    // What is no number is left as it was typed, though a form may stand by zero meanwhile.
    const isOwn = isTyped.current && isWrong;
    isTyped.current = false;
    if (!isOwn && parseDecimal(text, locale) !== value) setText(writeDecimal(value, locale));
  }, [value]);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const form = input.current?.form;
    const follow = () => setText(writeDecimal(value, locale));
    form?.addEventListener(TAKEN_BACK, follow);
    return () => form?.removeEventListener(TAKEN_BACK, follow);
  }, [value]);
  const named = unit ? `${label} (${unit})` : label;
  return (
    <TextInput
      {...rest}
      {...(isWrong ? { [NO_NUMBER]: true } : {})}
      ref={input}
      {...(isLabelHidden ? { 'aria-label': named } : { label: named })}
      inputMode="decimal"
      value={text}
      error={isWrong ? say('noNumber') : error}
      onChange={(event) => {
        isTyped.current = true;
        setText(event.currentTarget.value);
        onChange(parseDecimal(event.currentTarget.value, locale));
      }}
    />
  );
}
