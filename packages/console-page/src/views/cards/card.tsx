import type { PassTemplate } from '@laurel/client';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { usePathPart } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Page } from '../../parts/page';
import { CardForm } from './card-form';

/** One card, to be made to look like the shop. */
export function CardPage(): ReactNode {
  const { laurel, language } = useConsole();
  const id = usePathPart(1);
  const card = useAsk<PassTemplate>(['pass-templates', id], () => laurel.passTemplates.get(id));
  return (
    <Loaded query={card} lines={12}>
      {(found) => (
        <Page title={found.name} back={{ to: '/cards', label: language.say('cards.title') }}>
          <CardForm key={found.date_updated} card={found} />
        </Page>
      )}
    </Loaded>
  );
}
