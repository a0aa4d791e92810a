import type { Event } from '@laurel/client';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import type { Say, WordKey } from '../../language';
import { Ago } from '../../parts/ago';
import { useAsk } from '../../parts/ask';
import { Go } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Panel } from '../../parts/page';
import { useEventAmount } from './use-event-amount';

const SHOWN = 10;
const EVERY_MS = 30_000;
const LOYALTY = new Set([
  'points_earned',
  'points_spent',
  'points_expired',
  'points_adjusted',
  'points_cancelled',
  'points_refunded',
  'reward_redeemed',
  'reward_used',
  'reward_cancelled',
  'tier_promoted',
  'tier_demoted',
]);

/** What an event is, in a word of ours where there is one. */
export function sayEvent(say: Say, event: Pick<Event, 'event_category' | 'event_type'>): string {
  if (event.event_type === 'refund') return say('event.refund');
  if (event.event_category === 'transaction') return say('event.transaction');
  if (LOYALTY.has(event.event_type)) return say(`event.${event.event_type}` as WordKey);
  // Named after the step of the campaign, as programs name it.
  if (event.event_type.startsWith('campaign_')) return say('event.campaign');
  if (event.event_category === 'custom') return event.event_type;
  return say(`event.${event.event_category}` as WordKey);
}

/** The last things that customers did. */
export function Latest(): ReactNode {
  const { say } = useConsole().language;
  const latest = useAsk(['events', 'latest'], (laurel) => laurel.events.list({ limit: SHOWN }), {
    everyMs: EVERY_MS,
  });
  const writeAmount = useEventAmount(latest.data?.data ?? []);
  return (
    <Panel title={say('overview.latest')} isWide>
      <Loaded query={latest} lines={6}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="chart-empty">{say('overview.latest.empty')}</p>
          ) : (
            <ul className="plain-list">
              {data.map((event) => (
                <li key={event.id}>
                  <span>
                    {[sayEvent(say, event), writeAmount(event)].filter(Boolean).join(' · ')}
                    {event.client_id && (
                      <>
                        {' · '}
                        <Go to={`/customers/${event.client_id}`}>
                          {event.client_name_snapshot ?? event.client_id.slice(0, 8)}
                        </Go>
                      </>
                    )}
                  </span>
                  <small>
                    <Ago at={event.event_timestamp} />
                  </small>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
