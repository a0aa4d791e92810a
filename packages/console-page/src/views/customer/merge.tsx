import type { Client } from '@laurel/client';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { nameOf } from '../../api/find';
import { useConsole } from '../../console';
import { useForget } from '../../parts/ask';
import { ClientPicker } from '../../parts/client-picker';
import { Trouble } from '../../parts/loaded';
import { Notice } from '../../parts/notice';
import { Sheet } from '../../parts/sheet';
import { useToast } from '../../parts/toast';
import { useWish } from '../../parts/wish';
import { REDEEMED } from './moved';

/** Two records of one person become one. */
export function Merge({ client, onClose }: { client: Client; onClose: () => void }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const toast = useToast();
  const [other, setOther] = useState<Client | null>(null);
  const wish = useWish(
    (source: string, options) =>
      laurel.clients.merge({ source_client_id: source, target_client_id: client.id }, options),
    () => {
      forget('customer', 'passes', ...REDEEMED);
      toast({ text: say('merge.done') });
      onClose();
    },
  );
  return (
    <Sheet title={say('customer.merge')} onClose={onClose}>
      <div className="stack">
        <p>{say('merge.text', { name: nameOf(client) })}</p>
        <ClientPicker
          label={say('merge.other')}
          value={other}
          onChange={setOther}
          without={client.id}
        />
        {other && (
          <Notice kind="warn">
            {say('merge.warning', { gone: nameOf(other), stays: nameOf(client) })}
          </Notice>
        )}
        {wish.refused !== null && <Trouble error={wish.refused} />}
        <Button
          color="red"
          disabled={!other}
          loading={wish.isBusy}
          onClick={() => other && void wish.send(other.id)}
        >
          {say('merge.go')}
        </Button>
      </div>
    </Sheet>
  );
}
