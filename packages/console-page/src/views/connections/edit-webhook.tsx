import type { Webhook } from '@laurel/client';
import { TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useChange } from '../../parts/change';
import { useDraft } from '../../parts/draft';
import { Editing, type Seen, useHold } from '../../parts/editing';
import { Sheet } from '../../parts/sheet';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';
import { EventChoice } from './event-choice';

/** Where events go, and which: an address that moved keeps its secret and its deliveries. */
export function EditWebhook({
  query,
  onClose,
}: {
  query: UseQueryResult<Seen<Webhook>>;
  onClose: () => void;
}): ReactNode {
  const { say } = useConsole().language;
  return (
    <Sheet title={say('webhook.edit')} onClose={onClose}>
      <Editing query={query}>{(row) => <WebhookFields webhook={row} onClose={onClose} />}</Editing>
    </Sheet>
  );
}

function WebhookFields({ webhook, onClose }: { webhook: Webhook; onClose: () => void }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const { draft, isDirty, set } = useDraft<Pick<Webhook, 'url' | 'event_types'>>();
  useHold(isDirty);
  const { url, event_types } = { ...webhook, ...draft };
  const save = useChange(
    (body: typeof draft, options) => laurel.webhooks.update(webhook.id, body, options),
    {
      forgets: ['webhooks', 'names', 'overview'],
      says: () => say('webhook.saved'),
      onDone: onClose,
    },
  );
  return (
    <WishForm
      wish={save}
      onSend={() => void save.send(draft)}
      button={say('save')}
      missing={event_types.length === 0 ? [say('webhook.events')] : []}
      fields={['url', 'event_types']}
    >
      <TextInput
        label={say('webhook.url')}
        required
        value={url}
        error={troubleOf(save.refused, 'url')}
        onChange={(event) => set({ url: event.currentTarget.value.trim() })}
      />
      <EventChoice
        value={event_types}
        onChange={(chosen) => set({ event_types: chosen })}
        error={troubleOf(save.refused, 'event_types')}
      />
    </WishForm>
  );
}
