import { Checkbox, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useForget } from '../../parts/ask';
import { useGo } from '../../parts/go';
import { Sheet } from '../../parts/sheet';
import { useWish } from '../../parts/wish';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';

const FIELDS = ['first_name', 'last_name', 'email', 'phone', 'birth_date'] as const;
const TYPES: Partial<Record<(typeof FIELDS)[number], string>> = {
  email: 'email',
  phone: 'tel',
  birth_date: 'date',
};

/** Somebody who joins at the desk. */
export function AddCustomer({ onClose }: { onClose: () => void }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const go = useGo();
  const forget = useForget();
  const [draft, setDraft] = useState<Partial<Record<(typeof FIELDS)[number], string>>>({});
  const [consent, setConsent] = useState(false);
  const wish = useWish(
    (body: object, options) => laurel.clients.create(body, options),
    (made) => {
      forget('customers', 'overview');
      onClose();
      go(`/customers/${made.id}`);
    },
  );
  const submit = () => {
    const said = Object.entries(draft).filter(([, value]) => value);
    // Only who takes part reaches a tier.
    const joins = { marketing_consent: consent, loyalty_program_enabled: true };
    void wish.send({ ...Object.fromEntries(said), ...joins });
  };
  return (
    <Sheet title={say('customers.add')} onClose={onClose}>
      <WishForm wish={wish} onSend={submit} button={say('add')} fields={FIELDS}>
        {FIELDS.map((field) => (
          <TextInput
            key={field}
            label={say(`customer.${field}`)}
            type={TYPES[field] ?? 'text'}
            value={draft[field] ?? ''}
            error={troubleOf(wish.refused, field)}
            onChange={(event) => setDraft({ ...draft, [field]: event.currentTarget.value })}
          />
        ))}
        <Checkbox
          label={say('customer.consent.ask')}
          checked={consent}
          onChange={(event) => setConsent(event.currentTarget.checked)}
        />
      </WishForm>
    </Sheet>
  );
}
