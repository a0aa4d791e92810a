import type { Client } from '@laurel/client';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { nameOf } from '../../api/find';
import { useConsole } from '../../console';
import { useForget } from '../../parts/ask';
import { FinalSheet } from '../../parts/final-sheet';
import { useGo } from '../../parts/go';
import { Trouble } from '../../parts/loaded';
import { Panel } from '../../parts/page';
import { useWish } from '../../parts/wish';
import { fetchFile } from '../customers/download';
import { MOVED } from './moved';

/** What the law gives a person: their consent, their data, to be forgotten. */
export function PrivacyOf({ client }: { client: Client }): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const [final, setFinal] = useState<'anonymize' | 'delete' | null>(null);
  const consent = useWish(
    (isGiven: boolean, options) =>
      laurel.clients.update(
        client.id,
        {
          marketing_consent: isGiven,
          ...(isGiven ? { marketing_consent_text: say('customer.consent.ask') } : {}),
        },
        options,
      ),
    () => forget('customer', 'customers'),
  );
  const take = useWish(
    () => laurel.downloads.create({ kind: 'person', params: { client_id: client.id } }),
    fetchFile,
  );
  return (
    <>
      <Panel title={say('privacy.consent')}>
        <p>
          {client.marketing_consent
            ? say('privacy.consent.given', {
                when: client.marketing_consent_at ? format.moment(client.marketing_consent_at) : '',
                source: client.marketing_consent_source ?? '',
              })
            : say('privacy.consent.none')}
        </p>
        {client.marketing_consent_text && <blockquote>{client.marketing_consent_text}</blockquote>}
        {consent.refused !== null && <Trouble error={consent.refused} />}
        <div>
          <Button
            variant="default"
            loading={consent.isBusy}
            disabled={client.status === 'anonymized'}
            onClick={() => void consent.send(!client.marketing_consent)}
          >
            {say(client.marketing_consent ? 'privacy.withdraw' : 'privacy.give')}
          </Button>
        </div>
      </Panel>
      <Panel title={say('privacy.export')}>
        <p>{say('privacy.export.text')}</p>
        {take.refused !== null && <Trouble error={take.refused} />}
        <div>
          <Button variant="default" loading={take.isBusy} onClick={() => void take.send(undefined)}>
            {say('privacy.export.go')}
          </Button>
        </div>
      </Panel>
      <Panel title={say('privacy.forget')}>
        <p>{say('privacy.forget.text')}</p>
        <div className="row">
          <Button
            variant="default"
            disabled={client.status === 'anonymized'}
            onClick={() => setFinal('anonymize')}
          >
            {say('privacy.anonymize')}
          </Button>
          <Button color="red" variant="outline" onClick={() => setFinal('delete')}>
            {say('privacy.delete')}
          </Button>
        </div>
      </Panel>
      {final && <Final client={client} what={final} onClose={() => setFinal(null)} />}
    </>
  );
}

function Final({
  client,
  what,
  onClose,
}: {
  client: Client;
  what: 'anonymize' | 'delete';
  onClose: () => void;
}): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const go = useGo({ ignoreBlocker: true });
  const name = nameOf(client);
  const wish = useWish(
    async (wanted: 'anonymize' | 'delete', options): Promise<void> => {
      if (wanted === 'delete') await laurel.clients.delete(client.id, options);
      else await laurel.clients.anonymize(client.id, options);
    },
    () => {
      forget('customer', 'passes', ...MOVED);
      onClose();
      if (what === 'delete') go('/customers');
    },
  );
  return (
    <FinalSheet
      title={say(`privacy.${what}`)}
      name={name}
      wish={wish}
      onDo={() => void wish.send(what)}
      onClose={onClose}
    >
      {say(`privacy.${what}.text`)}
    </FinalSheet>
  );
}
