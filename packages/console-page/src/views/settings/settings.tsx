import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { Page } from '../../parts/page';
import { Tabs } from '../../parts/tabs';
import { Audit } from './audit';
import { Brand } from './brand';
import { Clone } from './clone';
import { Currencies } from './currencies';
import { DeleteWorkspace } from './delete-workspace';
import { Fields } from './fields';
import { Mails } from './mails';
import { Portal } from './portal';
import { Team } from './team';
import { Wallets } from './wallets';
import { WorkspaceForm } from './workspace-form';

/** What is set up once; what only admins may do is not shown to others. */
export function Settings(): ReactNode {
  const { language, workspace } = useConsole();
  const { say } = language;
  const isAdmin = workspace.role === 'admin';
  return (
    <Page title={say('nav.settings')}>
      <Tabs
        label={say('nav.settings')}
        tabs={[
          {
            id: 'workspace',
            title: say('settings.workspace'),
            view: () => (
              <>
                <WorkspaceForm />
                {isAdmin && <Clone />}
                {isAdmin && <DeleteWorkspace />}
              </>
            ),
          },
          { id: 'brand', title: say('settings.brand'), view: () => <Brand /> },
          { id: 'currencies', title: say('settings.currencies'), view: () => <Currencies /> },
          { id: 'fields', title: say('settings.fields'), view: () => <Fields /> },
          { id: 'mails', title: say('settings.mails'), view: () => <Mails /> },
          { id: 'portal', title: say('settings.portal'), view: () => <Portal /> },
          { id: 'wallets', title: say('settings.wallets'), view: () => <Wallets /> },
          ...(isAdmin
            ? [
                { id: 'team', title: say('settings.team'), view: () => <Team /> },
                { id: 'audit', title: say('settings.audit'), view: () => <Audit /> },
              ]
            : []),
        ]}
      />
    </Page>
  );
}
