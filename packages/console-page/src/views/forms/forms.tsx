import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { CopyButton } from '../../parts/copy-button';
import { Go } from '../../parts/go';
import { Loaded, Trouble } from '../../parts/loaded';
import { Empty, Page } from '../../parts/page';
import { Siblings } from '../../parts/tabs';
import { NewForm, useNewForm } from './new-form';

/** Where customers sign up. */
export function Forms(): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const [isOpen, setOpen] = useState(false);
  const forms = useAsk(['forms'], () => laurel.distributions.list());
  const cards = useAsk(['pass-templates'], () => laurel.passTemplates.list());
  const canMake = (cards.data?.length ?? 0) > 0 && forms.data !== undefined;
  const wish = useNewForm();
  const make = () => {
    const [card, ...others] = cards.data ?? [];
    // The first needs no name to differ by.
    if (card && others.length === 0 && forms.data?.length === 0)
      void wish.send({ name: say('forms.default'), card });
    else setOpen(true);
  };
  const button = (
    <Button data-key="c" disabled={!canMake} loading={wish.isBusy} onClick={make}>
      {say('forms.new')}
    </Button>
  );
  return (
    <Page title={say('forms.title')} actions={button}>
      <Siblings
        label={say('nav.cards')}
        pages={[
          { to: '/cards', title: say('cards.title') },
          { to: '/forms', title: say('forms.title'), isHere: true },
        ]}
      />
      {wish.refused !== null && <Trouble error={wish.refused} />}
      <Loaded query={forms} lines={6}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty
              title={say('forms.empty')}
              action={canMake ? button : <Go to="/cards">{say('forms.cardFirst')}</Go>}
            >
              {say('forms.empty.text')}
            </Empty>
          ) : (
            <div className="grid-3">
              {rows.map((form) => (
                <article className="panel" key={form.id}>
                  <h2>
                    <Go to={`/forms/${form.id}`}>{form.name}</Go>
                  </h2>
                  <p className="row">
                    <Badge kind={form.status === 'active' ? 'good' : 'plain'}>
                      {say(`form.${form.status}`)}
                    </Badge>
                    <span className="hint">
                      {cards.data?.find(({ id }) => id === form.pass_template_id)?.name}
                    </span>
                  </p>
                  <div>
                    <CopyButton
                      name={form.name}
                      list="forms"
                      copy={(options) => laurel.distributions.duplicate(form.id, options)}
                    />
                  </div>
                </article>
              ))}
            </div>
          )
        }
      </Loaded>
      {isOpen && (
        <NewForm cards={cards.data ?? []} forms={forms.data ?? []} onClose={() => setOpen(false)} />
      )}
    </Page>
  );
}
