import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTyped } from '../../parts/typed';
import { useText } from '../../text';

/** Several names in one field, parted by commas; the text stays as it is typed for as long as it says the same. */
export function WordsField({
  label,
  value,
  error,
  onChange,
}: {
  label: string;
  value: readonly string[];
  error?: string | undefined;
  onChange: (words: string[]) => void;
}): ReactNode {
  const { say } = useText();
  const [text, type] = useTyped(
    (typed) => wordsOf(typed).join() === value.join(),
    value.join(', '),
  );
  return (
    <TextInput
      label={label}
      description={say('commas')}
      value={text}
      error={error}
      onBlur={() => type('')}
      onChange={({ currentTarget }) => {
        type(currentTarget.value);
        onChange(wordsOf(currentTarget.value));
      }}
    />
  );
}

const wordsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  ),
];
