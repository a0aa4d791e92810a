import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Loaded } from '../../parts/loaded';
import { Sheet } from '../../parts/sheet';
import { tellUnheard } from './tell-unheard';

/** What was sent, and each answer. Its address can be sent to a colleague. */
export function Delivery({
  webhookId,
  id,
  onAgain,
  onClose,
}: {
  webhookId: string;
  id: string;
  onAgain: () => void;
  onClose: () => void;
}): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const delivery = useAsk(['deliveries', webhookId, id], () =>
    laurel.webhooks.getDelivery(webhookId, id),
  );
  return (
    <Sheet title={say('delivery.title')} onClose={onClose} isWide>
      <Loaded query={delivery}>
        {(found) => (
          <div className="stack">
            <dl className="facts">
              <dt>{say('delivery.event')}</dt>
              <dd>{found.event_type}</dd>
              <dt>{say('state')}</dt>
              <dd>{say(`delivery.${found.status}`)}</dd>
            </dl>
            {found.attempts.length > 0 && (
              <div>
                <Button variant="default" onClick={onAgain}>
                  {say('delivery.again')}
                </Button>
              </div>
            )}
            <h3>{say('delivery.attempts')}</h3>
            <ul className="plain-list">
              {found.attempts.map((attempt) => (
                <li key={attempt.id}>
                  <span>{format.moment(attempt.at)}</span>
                  <span>
                    {attempt.response_status ?? (attempt.error && tellUnheard(say, attempt.error))}{' '}
                    <small>{Math.round(attempt.duration_ms)} ms</small>
                  </span>
                </li>
              ))}
            </ul>
            <h3>{say('delivery.payload')}</h3>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <pre tabIndex={0}>{JSON.stringify(found.payload, null, 2)}</pre>
            {found.response && (
              <>
                <h3>{say('delivery.answer')}</h3>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
                <pre tabIndex={0}>{found.response}</pre>
              </>
            )}
          </div>
        )}
      </Loaded>
    </Sheet>
  );
}
