import type { PassTemplate } from '@laurel/client';
import { NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useForget } from '../../parts/ask';
import { useGo } from '../../parts/go';
import { NameField, useNewName } from '../../parts/new-name';
import { Sheet } from '../../parts/sheet';
import { useShopWords } from '../../parts/shop-words';
import { useWish } from '../../parts/wish';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';

/** Makes a form that asks for first name and e-mail and hands out a card, and goes there: all of it can be changed after. */
export function useNewForm() {
  const { laurel } = useConsole();
  const go = useGo();
  const forget = useForget();
  const shopWords = useShopWords();
  return useWish(
    async ({ name, card }: { name: string; card: PassTemplate }, options) => {
      const say = await shopWords();
      return laurel.distributions.create(
        {
          project_id: card.project_id,
          pass_template_id: card.id,
          name,
          delivery_mode: 'page',
          page_enabled: true,
          form_fields_config: [
            { name: 'first_name', label: say('customer.first_name'), type: 'text', required: true },
            { name: 'email', label: say('customer.email'), type: 'email', required: true },
          ],
        },
        options,
      );
    },
    (made) => {
      forget('forms', 'overview');
      go(`/forms/${made.id}`);
    },
  );
}

/** Asks what a new form is called, and which of several cards it hands out. */
export function NewForm({
  cards,
  forms,
  onClose,
}: {
  cards: readonly PassTemplate[];
  forms: readonly { name: string }[];
  onClose: () => void;
}): ReactNode {
  const { say } = useConsole().language;
  const name = useNewName(forms, say('forms.default'));
  const [cardId, setCardId] = useState(cards[0]?.id ?? '');
  const wish = useNewForm();
  return (
    <Sheet title={say('forms.new')} onClose={onClose}>
      <WishForm
        wish={wish}
        onSend={() =>
          void wish.send({ name: name.name, card: cards.find(({ id }) => id === cardId)! })
        }
        button={say('forms.make')}
        missing={name.isGood ? [] : [say('name')]}
      >
        <NameField of={name} error={troubleOf(wish.refused, 'name')} />
        {cards.length > 1 && (
          <NativeSelect
            label={say('form.card')}
            value={cardId}
            onChange={(event) => setCardId(event.currentTarget.value)}
            data={cards.map((card) => ({ value: card.id, label: card.name }))}
          />
        )}
      </WishForm>
    </Sheet>
  );
}
