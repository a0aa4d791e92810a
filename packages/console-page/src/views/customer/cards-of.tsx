import type { Pass } from '@laurel/client';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { Loaded, Trouble } from '../../parts/loaded';
import { Empty, Panel } from '../../parts/page';
import { useWish } from '../../parts/wish';

/** The cards of a customer: what is on them, how they get onto a phone, and the way to void one. */
export function CardsOf({ id }: { id: string }): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const cards = useAsk(['passes', id], () => laurel.passes.listForClient(id));
  const wallets = useAsk(['wallet-status'], () => laurel.passes.getWalletStatus());
  const templates = useAsk(['pass-templates'], () => laurel.passTemplates.list());
  const change = useWish(
    ({ pass, isVoid }: { pass: string; isVoid: boolean }, options) =>
      isVoid ? laurel.passes.restore(pass, {}, options) : laurel.passes.void(pass, {}, options),
    () => forget('passes', 'customers', 'overview'),
  );
  return (
    <Loaded query={cards}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title={say('cardsOf.empty')}>{say('cardsOf.empty.text')}</Empty>
        ) : (
          <>
            {change.refused !== null && <Trouble error={change.refused} />}
            <div className="grid-3">
              {rows.map((card) => (
                <Panel
                  key={card.id}
                  title={
                    templates.data?.find((one) => one.id === card.pass_template_id)?.name ??
                    say('customer.cards')
                  }
                  aside={
                    <Badge kind={stateOf(card) === 'active' ? 'good' : 'bad'}>
                      {say(`card.status.${stateOf(card)}`)}
                    </Badge>
                  }
                >
                  <dl className="facts">
                    <dt>{say('cardsOf.code')}</dt>
                    <dd>{card.barcode_value}</dd>
                    <dt>{say('cardsOf.since')}</dt>
                    <dd>{format.day(card.date_created)}</dd>
                  </dl>
                  {/* A wallet that is not set up would show the customer an error. */}
                  <p className="row">
                    {wallets.data?.apple.ready && <a href={card.apple_pass_url}>Apple Wallet</a>}
                    {wallets.data?.google.ready && <a href={card.google_pass_url}>Google Wallet</a>}
                    {wallets.data && !wallets.data.apple.ready && !wallets.data.google.ready && (
                      <small>{say('cardsOf.noWallet')}</small>
                    )}
                  </p>
                  <Button
                    variant="default"
                    size="xs"
                    disabled={change.isBusy}
                    onClick={() =>
                      void change.send({ pass: card.id, isVoid: card.status === 'voided' })
                    }
                  >
                    {say(card.status === 'voided' ? 'cardsOf.restore' : 'cardsOf.void')}
                  </Button>
                </Panel>
              ))}
            </div>
          </>
        )
      }
    </Loaded>
  );
}

/** An expired card is active all the same (part 4, section 12), and no till takes it. */
const stateOf = ({ status, expires_at: end }: Pick<Pass, 'status' | 'expires_at'>) =>
  status === 'active' && end !== null && new Date(end) <= new Date() ? 'expired' : status;
