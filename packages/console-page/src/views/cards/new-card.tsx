import type { PassTemplate } from '@laurel/client';
import { balanceOf } from '@laurel/page-kit/placeholders';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useForget } from '../../parts/ask';
import { useGo } from '../../parts/go';
import { NameField, useNewName } from '../../parts/new-name';
import { Sheet } from '../../parts/sheet';
import { useWish } from '../../parts/wish';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';

/** Where the brand says none. */
const USUAL_COLOURS = {
  background_color: '#1b6b4c',
  label_color: '#ffffff',
  value_color: '#ffffff',
};

/** Makes a card that shows the balance, and goes there: all of it can be changed after. */
function useNewCard() {
  const { laurel } = useConsole();
  const go = useGo();
  const forget = useForget();
  return useWish(
    async (name: string, { idempotencyKey }): Promise<PassTemplate> => {
      const [projects, currencies, brand] = await Promise.all([
        laurel.projects.list(),
        laurel.walletTypes.list(),
        laurel.brand.get(),
      ]);
      const project =
        projects[0] ??
        (await laurel.projects.create({ name }, { idempotencyKey: `${idempotencyKey}-project` }));
      const currency = currencies.find(({ is_default }) => is_default) ?? currencies[0];
      return laurel.passTemplates.create(
        {
          project_id: project.id,
          name,
          pass_type: 'LOYALTY',
          logo_text: name,
          ...(brand.colours.primary === null ? USUAL_COLOURS : {}),
          barcode_type: 'qr',
          ...(currency
            ? {
                front_fields: [
                  {
                    id: 'balance',
                    label: currency.unit_plural_name ?? currency.name,
                    value: balanceOf(currency.code),
                  },
                ],
              }
            : {}),
          show_available_rewards_on_back: true,
        },
        { idempotencyKey },
      );
    },
    (made) => {
      forget('pass-templates', 'names', 'overview');
      go(`/cards/${made.id}`);
    },
  );
}

/** Asks what a new card is called: in lists, and at first on the card itself. */
export function NewCard({
  cards,
  onClose,
}: {
  cards: readonly PassTemplate[];
  onClose: () => void;
}): ReactNode {
  const { language, workspace } = useConsole();
  const { say } = language;
  const name = useNewName(cards, workspace.name);
  const wish = useNewCard();
  return (
    <Sheet title={say('cards.new')} onClose={onClose}>
      <WishForm
        wish={wish}
        onSend={() => void wish.send(name.name)}
        button={say('card.make')}
        missing={name.isGood ? [] : [say('name')]}
      >
        <NameField of={name} error={troubleOf(wish.refused, 'name')} />
      </WishForm>
    </Sheet>
  );
}
