import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTyped } from '../../parts/typed';
import { useText } from '../../text';
import { originsOf } from './origins';

/** On whose pages a form may stand; the text stays as it is typed for as long as it says the same. */
export function OriginsField({
  value,
  error,
  onChange,
}: {
  value: readonly string[];
  error: string | undefined;
  onChange: (origins: string[]) => void;
}): ReactNode {
  const { say } = useText();
  const [text, type] = useTyped(
    (typed) => originsOf(typed).join() === value.join(),
    value.join('\n'),
  );
  return (
    <Textarea
      label={say('form.origins')}
      description={say('form.origins.hint')}
      autosize
      minRows={1}
      value={text}
      error={error}
      // What was made of it is shown once it is left.
      onBlur={() => type('')}
      onChange={({ currentTarget }) => {
        type(currentTarget.value);
        onChange(originsOf(currentTarget.value));
      }}
    />
  );
}
