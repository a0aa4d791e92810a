import type { Attention, WalletStatus } from '@laurel/client';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { useChange } from '../../parts/change';
import { DangerButton } from '../../parts/danger-button';
import { Loaded } from '../../parts/loaded';
import { Notice } from '../../parts/notice';
import { Panel } from '../../parts/page';
import { Refused } from '../../parts/refused';
import { AppleKeys } from './apple-keys';
import { GoogleKeys } from './google-keys';
import { missingOf } from './wallet-missing';
import { WALLET_VIEWS } from './wallet-views';

const SHEETS = { apple: AppleKeys, google: GoogleKeys };
type Kind = keyof typeof SHEETS;
const KINDS = ['apple', 'google'] as const satisfies readonly Kind[];

/** Whether phones take the cards of the workspace, and its own keys for that. */
export function Wallets(): ReactNode {
  const { laurel, language, permissions } = useConsole();
  const { say } = language;
  const status = useAsk(['wallet-status', 'credentials'], () =>
    laurel.passes.getWalletStatus({ expand: ['credentials'] }),
  );
  // Its end is named once it is near; a page that cannot ask says nothing of it.
  const needs = useAsk(['overview', 'needs'], () => laurel.workspaces.getAttention());
  const mayEdit = permissions.has('manage_settings');
  const endOf = (kind: Kind) =>
    needs.data?.find(({ subject }) => subject.type === 'wallet_credentials' && subject.id === kind);
  return (
    <>
      {!mayEdit && <Notice>{say('adminOnly')}</Notice>}
      <p className="hint">
        {say('wallets.text')} <a href="/docs/cards">{say('wallets.guide')}</a>
      </p>
      <Loaded query={status} lines={8}>
        {(found) =>
          KINDS.map((kind) => (
            <Wallet
              key={kind}
              kind={kind}
              state={found[kind]}
              end={endOf(kind)}
              mayEdit={mayEdit}
            />
          ))
        }
      </Loaded>
    </>
  );
}

interface WalletProps {
  kind: Kind;
  state: WalletStatus[Kind];
  /** Of its certificate, where that is near. */
  end: Attention | undefined;
  mayEdit: boolean;
}

function Wallet({ kind, state, end, mayEdit }: WalletProps): ReactNode {
  const { say } = useConsole().language;
  const [isOpen, setOpen] = useState(false);
  const { own, settings } = missingOf(say, state.missing);
  const Sheet = SHEETS[kind];
  return (
    <Panel
      title={say(`thing.${kind}`)}
      aside={
        <Badge kind={state.ready ? 'good' : 'warn'}>
          {say(state.ready ? 'wallets.ready' : 'wallets.notReady')}
        </Badge>
      }
    >
      <Whose state={state} isNear={end !== undefined} />
      {end && (
        <Notice kind="warn">
          {say('need.certificate_expiring', { name: end.subject.name, count: end.count })}
        </Notice>
      )}
      {own.length > 0 && (
        <ul className="plain-list">
          {own.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
      {settings.length > 0 && (
        <p className="hint">{say('wallets.lacks', { names: settings.join(', ') })}</p>
      )}
      {mayEdit && (
        <div className="row">
          <Button variant="default" onClick={() => setOpen(true)}>
            {say(`wallets.enter.${kind}`)}
          </Button>
          {state.credentials?.own && <RemoveKeys kind={kind} />}
        </div>
      )}
      {isOpen && <Sheet onClose={() => setOpen(false)} />}
    </Panel>
  );
}

/** Whose keys sign, and until when. */
function Whose({ state, isNear }: { state: WalletStatus[Kind]; isNear: boolean }): ReactNode {
  const { format, language } = useConsole();
  const { say } = language;
  const { own = false, valid_until: end } = state.credentials ?? {};
  if (!own && !state.ready) return null;
  return (
    <p className="hint">
      {say(own ? 'wallets.own' : 'wallets.installation')}{' '}
      {end && !isNear && say('wallets.until', { day: format.day(end) })}
    </p>
  );
}

/** Those of the installation sign again. */
function RemoveKeys({ kind }: { kind: Kind }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const { deleteApple, deleteGoogle } = laurel.walletCredentials;
  const remove = { apple: deleteApple, google: deleteGoogle }[kind];
  const wish = useChange((_nothing: null, options) => remove(options), {
    forgets: WALLET_VIEWS,
    says: () => say('wallets.removed'),
  });
  return (
    <>
      <Refused error={wish.refused} />
      <DangerButton
        ask={say('wallets.remove.ask')}
        isBusy={wish.isBusy}
        onDo={() => void wish.send(null)}
      >
        {say(`wallets.remove.${kind}`)}
      </DangerButton>
    </>
  );
}
