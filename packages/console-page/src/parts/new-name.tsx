import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useText } from '../text';

interface NewName {
  name: string;
  setName(name: string): void;
  /** Whether something else is called that: in a list the two would look the same. */
  isTaken: boolean;
  /** That it may be used. */
  isGood: boolean;
}

/** A name for something new; what is proposed is only where nothing has it yet. */
export function useNewName(others: readonly { name: string }[], proposed = ''): NewName {
  const [typed, setName] = useState<string | null>(null);
  const isTaken = (name: string) => others.some((other) => isSameName(other.name, name));
  const name = typed ?? (isTaken(proposed) ? '' : proposed);
  return { name, setName, isTaken: isTaken(name), isGood: name.trim() !== '' && !isTaken(name) };
}

/** Whether people would take two names for one. */
export const isSameName = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

export function NameField({ of, error }: { of: NewName; error: string | undefined }): ReactNode {
  const { say } = useText();
  return (
    <TextInput
      label={say('name')}
      data-autofocus
      required
      value={of.name}
      error={of.isTaken ? say('wrong.nameTaken') : error}
      onChange={(event) => of.setName(event.currentTarget.value)}
    />
  );
}
