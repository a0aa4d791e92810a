import { Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
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
  const [typed, setTyped] = useState('');
  const isOwn = originsOf(typed).join() === value.join();
  return (
    <Textarea
      label={say('form.origins')}
      description={say('form.origins.hint')}
      autosize
      minRows={1}
      value={isOwn ? typed : value.join('\n')}
      error={error}
      // What was made of it is shown once it is left.
      onBlur={() => setTyped('')}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(originsOf(currentTarget.value));
      }}
    />
  );
}
