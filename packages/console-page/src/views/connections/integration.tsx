import type { Laurel } from '@laurel/client';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Editing, readSeenOr, type Seen } from '../../parts/editing';
import { usePathPart } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Notice } from '../../parts/notice';
import { Page, Panel } from '../../parts/page';
import { InboxMessages } from './inbox-messages';
import { IntegrationForm } from './integration-form';
import { IntegrationState } from './integration-state';
import { type KnownIntegration, nameOfProvider } from './providers';
import { Secret } from './secret';

/** One shop system: how it is reached, what it sends, and what arrived. */
export function IntegrationPage(): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const provider = usePathPart(2);
  const name = nameOfProvider(say, provider);
  const known = useAsk(['integrations', provider], () => readOrBlank(laurel, provider));
  const [address, setAddress] = useState<string | null>(null);
  return (
    <Loaded query={known} lines={8}>
      {(found) => (
        <Page
          title={name}
          lead={<IntegrationState integration={found} />}
          back={{ to: '/connections?tab=integrations', label: say('integrations.title') }}
        >
          {found.last_error && <Notice kind="warn">{found.last_error}</Notice>}
          {(address ?? found.inbox_ingest_url) && (
            <Panel title={say('integrations.sendTo')}>
              {address ? <Secret value={address} /> : <code>{found.inbox_ingest_url}/…</code>}
            </Panel>
          )}
          <Editing key={provider} query={known}>
            {(row) => <IntegrationForm integration={row} onAddress={setAddress} />}
          </Editing>
          {found.inbox_ingest_url && <InboxMessages provider={provider} name={name} />}
        </Page>
      )}
    </Loaded>
  );
}

const readOrBlank = (laurel: Laurel, provider: string): Promise<Seen<KnownIntegration>> =>
  readSeenOr<KnownIntegration>(laurel.integrations.get(provider), {
    id: null,
    provider,
    enabled_inbound: false,
    enabled_outbound: false,
    inbox_ingest_url: null,
    config: {},
    secrets_meta: {},
    last_error: null,
  });
