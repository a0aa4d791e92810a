import type { PassTemplate } from '@laurel/client';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Editing, readSeen, type Seen } from '../../parts/editing';
import { usePathPart } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Managed } from '../../parts/managed';
import { Page } from '../../parts/page';
import { CardForm } from './card-form';

/** One card, to be made to look like the shop. */
export function CardPage(): ReactNode {
  const { laurel, language } = useConsole();
  const id = usePathPart(1);
  const card = useAsk<Seen<PassTemplate>>(['pass-templates', id], () =>
    readSeen(laurel.passTemplates.get(id)),
  );
  return (
    <Loaded query={card} lines={12}>
      {(found) => (
        <Page title={found.name} back={{ to: '/cards', label: language.say('cards.title') }}>
          <Managed kind="pass_templates" name={found.key} />
          <Editing query={card}>{(row) => <CardForm card={row} />}</Editing>
        </Page>
      )}
    </Loaded>
  );
}
