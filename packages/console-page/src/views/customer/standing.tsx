import type { Client } from '@laurel/client';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Loaded } from '../../parts/loaded';

/** Balances in their units, the tier and the way to the next, the card. */
export function Standing({
  client: { id, loyalty_program_enabled: isIn },
}: {
  client: Client;
}): ReactNode {
  const { format, language } = useConsole();
  const { say } = language;
  const wallets = useAsk(['wallets', id], (laurel) => laurel.points.listWalletsForClient(id));
  const tier = useAsk(['tier', id, isIn], (laurel) => laurel.tiers.getForClient(id));
  const cards = useAsk(['passes', id], (laurel) => laurel.passes.listForClient(id));
  return (
    <div className="figures-row">
      <Loaded query={wallets} lines={2}>
        {(rows) =>
          rows.map(({ wallet, wallet_type }) => (
            <section className="panel figure" key={wallet.id} aria-label={wallet_type.name}>
              <span>{wallet_type.name}</span>
              <b>{format.number(wallet.active_balance)}</b>
              <small>
                {[
                  wallet.pending_balance > 0 &&
                    say('customer.pending', { amount: format.number(wallet.pending_balance) }),
                  wallet.locked_balance > 0 &&
                    say('customer.locked', { amount: format.number(wallet.locked_balance) }),
                ]
                  .filter(Boolean)
                  .join(' · ') ||
                  say('customer.earnedInAll', { amount: format.number(wallet.total_earned) })}
              </small>
            </section>
          ))
        }
      </Loaded>
      <Loaded query={tier} lines={2}>
        {(found) =>
          found && (
            <section className="panel figure" aria-label={say('customer.tier')}>
              <span>{say('customer.tier')}</span>
              <b className="rung">
                {found.tier?.color && (
                  <span className="rung-mark" style={{ background: found.tier.color }} />
                )}
                {found.tier?.name ?? say('none')}
              </b>
              <small>
                {!isIn
                  ? say('customer.notIn')
                  : found.progress.next_tier
                    ? say('customer.toNext', {
                        share: format.percent(found.progress.progress_to_next),
                        name: found.progress.next_tier.name,
                      })
                    : found.manually_assigned
                      ? say('customer.byHand')
                      : ' '}
              </small>
            </section>
          )
        }
      </Loaded>
      <Loaded query={cards} lines={2}>
        {(rows) => (
          <section className="panel figure" aria-label={say('customer.cards')}>
            <span>{say('customer.cards')}</span>
            <b>{format.number(rows.filter(({ status }) => status === 'active').length)}</b>
            <small> </small>
          </section>
        )}
      </Loaded>
    </div>
  );
}
