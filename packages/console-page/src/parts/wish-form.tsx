import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { unsaidBy } from '../refusals';
import { focusWrong } from './focus-wrong';
import { holdsNoNumber } from './no-number';
import { Refused } from './refused';
import { StillMissing } from './still-missing';
import type { Wish } from './wish';

interface WishFormProps {
  wish: Pick<Wish<never>, 'isBusy' | 'refused'>;
  onSend: () => void;
  /** What its button says. */
  button: ReactNode;
  /** The labels of what has to be filled in first. */
  missing?: readonly string[];
  /** Fields that say themselves what is wrong with them. */
  fields?: readonly string[];
  children: ReactNode;
}

/** A few fields and the button that sends them; why they were refused stands between. */
export function WishForm({
  wish,
  onSend,
  button,
  missing = [],
  fields = [],
  children,
}: WishFormProps): ReactNode {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!holdsNoNumber(event.currentTarget)) onSend();
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => focusWrong(form.current), [wish.refused]);
  return (
    <form className="stack" onSubmit={submit} ref={form}>
      {children}
      <Refused error={unsaidBy(fields, wish.refused)} onAgain={onSend} />
      <Button type="submit" loading={wish.isBusy} disabled={missing.length > 0}>
        {button}
      </Button>
      <StillMissing names={missing} />
    </form>
  );
}
