import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useText } from '../text';
import { Trouble } from './loaded';
import { Sheet } from './sheet';

/** What cannot be taken back is typed out first. */
export function FinalSheet({
  title,
  name,
  children,
  wish,
  onDo,
  onClose,
}: {
  /** What is done, on the button too. */
  title: string;
  /** Of what it is done to: typed by a member who means it. */
  name: string;
  /** What goes and what stays. */
  children: ReactNode;
  wish: { isBusy: boolean; refused: unknown };
  onDo: () => void;
  onClose: () => void;
}): ReactNode {
  const { say } = useText();
  const [typed, setTyped] = useState('');
  return (
    <Sheet title={title} onClose={onClose}>
      <div className="stack">
        <p>{children}</p>
        <TextInput
          label={say('privacy.type', { name })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {wish.refused !== null && <Trouble error={wish.refused} />}
        <Button
          color="red"
          disabled={asRead(typed) !== asRead(name)}
          loading={wish.isBusy}
          onClick={onDo}
        >
          {title}
        </Button>
      </div>
    </Sheet>
  );
}

/** Names come from elsewhere, too: of two spaces, and of one at the end, a reader sees nothing. */
const asRead = (text: string): string => text.normalize().replace(/\s+/g, ' ').trim();
