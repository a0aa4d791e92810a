import { Button } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { holdsNoNumber } from './no-number';
import { Refused } from './refused';
import type { Wish } from './wish';

interface WishFormProps {
  wish: Pick<Wish<never>, 'isBusy' | 'refused'>;
  onSend: () => void;
  /** What its button says. */
  button: ReactNode;
  /** As long as something is missing that no field asks for by itself. */
  isLocked?: boolean;
  /** Whether a field says already why it was refused. */
  isAtField?: boolean;
  children: ReactNode;
}

/** A few fields and the button that sends them; why they were refused stands between. */
export function WishForm({
  wish,
  onSend,
  button,
  isLocked = false,
  isAtField = false,
  children,
}: WishFormProps): ReactNode {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!holdsNoNumber(event.currentTarget)) onSend();
  };
  return (
    <form className="stack" onSubmit={submit}>
      {children}
      {!isAtField && <Refused error={wish.refused} onAgain={onSend} />}
      <Button type="submit" loading={wish.isBusy} disabled={isLocked}>
        {button}
      </Button>
    </form>
  );
}
