import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { Go } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Empty, Page } from '../../parts/page';
import { Siblings } from '../../parts/tabs';
import { NewForm } from './new-form';

/** Where customers sign up. */
export function Forms(): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const [isOpen, setOpen] = useState(false);
  const forms = useAsk(['forms'], () => laurel.distributions.list());
  const cards = useAsk(['pass-templates'], () => laurel.passTemplates.list());
  const canMake = (cards.data?.length ?? 0) > 0;
  return (
    <Page
      title={say('forms.title')}
      actions={
        <Button data-key="c" disabled={!canMake} onClick={() => setOpen(true)}>
          {say('forms.new')}
        </Button>
      }
    >
      <Siblings
        label={say('nav.cards')}
        pages={[
          { to: '/cards', title: say('cards.title') },
          { to: '/forms', title: say('forms.title'), isHere: true },
        ]}
      />
      <Loaded query={forms} lines={6}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty
              title={say('forms.empty')}
              action={
                canMake ? (
                  <Button onClick={() => setOpen(true)}>{say('forms.new')}</Button>
                ) : (
                  <Go to="/cards">{say('forms.cardFirst')}</Go>
                )
              }
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
                </article>
              ))}
            </div>
          )
        }
      </Loaded>
      {isOpen && <NewForm cards={cards.data ?? []} onClose={() => setOpen(false)} />}
    </Page>
  );
}
