import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../console';
import { dayIn, endOf, lastDayOf, momentOf } from '../format/days';
import { useTyped } from './typed';

/** A browser tells each digit of a year as it is typed: until there are four it is the year 2, 20, 202. */
const WHOLE = /^[1-9]\d{3}-\d{2}-\d{2}$/;

/** A day of the workspace, kept as the moment at which it begins; of the last day of something, as the one at which it ends. */
export function DayField({
  label,
  value,
  error,
  isLast = false,
  onChange,
}: {
  label: string;
  value: string | null | undefined;
  error: string | undefined;
  isLast?: boolean;
  onChange: (moment: string | null) => void;
}): ReactNode {
  const { timezone } = useConsole().settings;
  const momentAt = (day: string) => {
    if (!WHOLE.test(day)) return null;
    return isLast ? endOf(day, timezone) : momentOf(day, timezone);
  };
  const dayAt = (moment: string) =>
    isLast ? lastDayOf(moment, timezone) : dayIn(timezone, new Date(moment));
  const [text, type] = useTyped(
    (typed) => momentAt(typed) === (value ?? null),
    value ? dayAt(value) : '',
  );
  return (
    <TextInput
      type="date"
      label={label}
      value={text}
      error={error}
      onChange={({ currentTarget }) => {
        type(currentTarget.value);
        onChange(momentAt(currentTarget.value));
      }}
    />
  );
}
