import type { PassTemplate } from '@laurel/client';
import { balanceOf } from '@laurel/page-kit/placeholders';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { CopyButton } from '../../parts/copy-button';
import { Go, useGo } from '../../parts/go';
import { Loaded, Trouble } from '../../parts/loaded';
import { Notice } from '../../parts/notice';
import { Empty, Page } from '../../parts/page';
import { Siblings } from '../../parts/tabs';
import { useWish } from '../../parts/wish';
import { CardDrawing } from './card-drawing';

/** Where the brand says none. */
const USUAL_COLOURS = {
  background_color: '#1b6b4c',
  label_color: '#ffffff',
  value_color: '#ffffff',
};

/** What customers carry on their phones. */
export function Cards(): ReactNode {
  const { laurel, language, workspace } = useConsole();
  const { say } = language;
  const go = useGo();
  const forget = useForget();
  const cards = useAsk(['pass-templates'], () => laurel.passTemplates.list());
  const wallets = useAsk(['wallet-status'], () => laurel.passes.getWalletStatus());
  const make = useWish(
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
  const create = (
    <Button data-key="c" loading={make.isBusy} onClick={() => void make.send(workspace.name)}>
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
        <Notice kind="warn">{say('cards.notReady')}</Notice>
      )}
      {make.refused !== null && <Trouble error={make.refused} />}
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
