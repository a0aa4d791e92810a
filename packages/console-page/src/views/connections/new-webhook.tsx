import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useForget } from '../../parts/ask';
import { useGo } from '../../parts/go';
import { Sheet } from '../../parts/sheet';
import { useWish } from '../../parts/wish';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';
import { EventChoice } from './event-choice';
import { Secret } from './secret';

/** An address that hears of what happens; its secret is shown this once. */
export function NewWebhook({ onClose }: { onClose: () => void }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const go = useGo();
  const forget = useForget();
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null);
  const wish = useWish(
    (body: { url: string; event_types: string[] }, options) =>
      laurel.webhooks.create(body, options),
    ({ data, secret }) => {
      forget('webhooks', 'names');
      setMade({ id: data.id, secret });
    },
  );
  return (
    <Sheet title={say('webhooks.new')} onClose={onClose} isAwaited={wish.isBusy}>
      {made ? (
        <div className="stack">
          <Secret value={made.secret} />
          <Button
            onClick={() => {
              onClose();
              go(`/connections/webhooks/${made.id}`);
            }}
          >
            {say('webhook.toDeliveries')}
          </Button>
        </div>
      ) : (
        <WishForm
          wish={wish}
          onSend={() => void wish.send({ url: url.trim(), event_types: chosen })}
          button={say('add')}
          missing={chosen.length === 0 ? [say('webhook.events')] : []}
          fields={['url', 'event_types']}
        >
          <TextInput
            label={say('webhook.url')}
            placeholder="https://"
            data-autofocus
            required
            value={url}
            error={troubleOf(wish.refused, 'url')}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <EventChoice
            value={chosen}
            onChange={setChosen}
            error={troubleOf(wish.refused, 'event_types')}
          />
        </WishForm>
      )}
    </Sheet>
  );
}
