import { TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { parseDecimal, writeDecimal } from '../format/decimal';
import { useText } from '../text';

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

/** A number, with comma or point as whoever types it is used to. */
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
  useEffect(() => {
    if (parseDecimal(text) !== value) setText(writeDecimal(value, locale));
  }, [value]);
  const isWrong = text.trim() !== '' && parseDecimal(text) === null;
  const named = unit ? `${label} (${unit})` : label;
  return (
    <TextInput
      {...rest}
      {...(isLabelHidden ? { 'aria-label': named } : { label: named })}
      inputMode="decimal"
      value={text}
      error={isWrong ? say('noNumber') : error}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange(parseDecimal(event.currentTarget.value));
      }}
    />
  );
}
