import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { CopyButton } from '../../parts/copy-button';
import { Go } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Notice } from '../../parts/notice';
import { Empty, Page } from '../../parts/page';
import { Siblings } from '../../parts/tabs';
import { CardDrawing } from './card-drawing';
import { NewCard } from './new-card';

/** Where the platform shows the buttons of wallets without their keys (part 4, section 4). */
const IS_LOCAL = /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/;

/** What customers carry on their phones. */
export function Cards(): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const [isAsked, setAsked] = useState(false);
  const cards = useAsk(['pass-templates'], () => laurel.passTemplates.list());
  const wallets = useAsk(['wallet-status'], () => laurel.passes.getWalletStatus());
  const create = (
    <Button data-key="c" disabled={!cards.data} onClick={() => setAsked(true)}>
      {say('cards.new')}
    </Button>
  );
  return (
    <Page title={say('cards.title')} actions={create}>
      <Siblings
        label={say('nav.cards')}
        pages={[
          { to: '/cards', title: say('cards.title'), isHere: true },
          { to: '/forms', title: say('forms.title') },
        ]}
      />
      {wallets.data && !wallets.data.apple.ready && !wallets.data.google.ready && (
        <Notice kind="warn">
          {say('cards.notReady')}
          {IS_LOCAL.test(location.hostname) && ` ${say('cards.notReady.local')}`}{' '}
          <Go to="/settings" search={{ tab: 'wallets' }}>
            {say('cards.enterKeys')}
          </Go>
        </Notice>
      )}
      {isAsked && <NewCard cards={cards.data ?? []} onClose={() => setAsked(false)} />}
      <Loaded query={cards} lines={8}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={say('cards.empty')} action={create}>
              {say('cards.empty.text')}
            </Empty>
          ) : (
            <div className="grid-3">
              {rows.map((card) => (
                <article className="panel" key={card.id}>
                  <CardDrawing card={card} />
                  <h2>
                    <Go to={`/cards/${card.id}`}>{card.name}</Go>
                  </h2>
                  <p className="hint">
                    {say('cards.on', {
                      passes: card.statistics.passes,
                      apple: card.statistics.apple,
                      google: card.statistics.google,
                    })}
                  </p>
                  <div>
                    <CopyButton
                      name={card.name}
                      list="pass-templates"
                      copy={(options) => laurel.passTemplates.duplicate(card.id, options)}
                    />
                  </div>
                </article>
              ))}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}
