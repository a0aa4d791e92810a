import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { Page } from '../../parts/page';
import { Tabs } from '../../parts/tabs';
import { ApiToken } from './api-token';
import { Integrations } from './integrations';
import { NamedTokens } from './named-tokens';
import { Webhooks } from './webhooks';

/** Everything that other programs have to do with the workspace. */
export function Connections(): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  return (
    <Page title={say('nav.connections')}>
      <Tabs
        label={say('nav.connections')}
        tabs={[
          { id: 'webhooks', title: say('webhooks.title'), view: () => <Webhooks /> },
          { id: 'integrations', title: say('integrations.title'), view: () => <Integrations /> },
          {
            id: 'token',
            title: say('token.title'),
            view: () => (
              <>
                <ApiToken />
                <NamedTokens />
              </>
            ),
          },
        ]}
      />
    </Page>
  );
}
