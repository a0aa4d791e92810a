import type { StaffUser } from '@laurel/client';
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useForget } from '../../parts/ask';
import { Sheet } from '../../parts/sheet';
import { useWish } from '../../parts/wish';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';

const PHONE = /^[\s+()\-./]*(?:\d[\s+()\-./]*){5,}$/;

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
  const [isNeither, setNeither] = useState(false);
  const submit = () => {
    // A code could be sent to neither, and the platform takes any text for a number.
    const reachesNobody = !contact.includes('@') && !PHONE.test(contact);
    setNeither(reachesNobody);
    if (reachesNobody) return;
    const by = contact.includes('@') ? { email: contact.trim() } : { phone: contact.trim() };
    void wish.send({ first_name: name.trim(), ...by });
  };
  const wrong = isNeither
    ? say('wrong.mailOrPhone')
    : (troubleOf(wish.refused, 'email') ?? troubleOf(wish.refused, 'phone'));
  return (
    <Sheet title={say('till.add')} onClose={onClose}>
      <WishForm
        wish={wish}
        onSend={submit}
        button={say('till.addAndPair')}
        fields={['first_name', 'email', 'phone']}
      >
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
      </WishForm>
    </Sheet>
  );
}
