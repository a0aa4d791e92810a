import type { StaffUser } from '@laurel/client';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useForget } from '../../parts/ask';
import { Trouble } from '../../parts/loaded';
import { Sheet } from '../../parts/sheet';
import { useWish } from '../../parts/wish';
import { troubleOf } from '../../refusals';

/** Somebody new at the counter; the code for their phone follows at once. */
export function AddStaff({
  onClose,
  onAdded,
}: {
  onClose: () => void;
  onAdded: (user: StaffUser) => void;
}): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const [name, setName] = useState('');
  const [contact, setContact] = useState('');
  const wish = useWish(
    (body: { first_name: string; email?: string; phone?: string }, options) =>
      laurel.staffUsers.create(body, options),
    (user) => {
      forget('staff', 'overview');
      onAdded(user);
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const by = contact.includes('@') ? { email: contact.trim() } : { phone: contact.trim() };
    void wish.send({ first_name: name.trim(), ...by });
  };
  const wrong = troubleOf(wish.refused, 'email') ?? troubleOf(wish.refused, 'phone');
  return (
    <Sheet title={say('till.add')} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextInput
          label={say('customer.first_name')}
          data-autofocus
          required
          value={name}
          error={troubleOf(wish.refused, 'first_name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={say('till.contact')}
          description={say('till.contact.hint')}
          required
          value={contact}
          error={wrong}
          onChange={(event) => setContact(event.currentTarget.value)}
        />
        {wish.refused !== null && !wrong && <Trouble error={wish.refused} />}
        <Button type="submit" loading={wish.isBusy}>
          {say('till.addAndPair')}
        </Button>
      </form>
    </Sheet>
  );
}
