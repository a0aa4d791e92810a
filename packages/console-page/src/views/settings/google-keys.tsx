import type { WalletCredentialsSetGoogleBody } from '@laurel/client';
import { Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useChange } from '../../parts/change';
import { Sheet } from '../../parts/sheet';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';
import { WALLET_VIEWS } from './wallet-views';

/** An issuer at Google for the cards of this workspace. What is sent is never shown again. */
export function GoogleKeys({ onClose }: { onClose: () => void }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const [issuer, setIssuer] = useState('');
  const [file, setFile] = useState('');
  const account = accountIn(file);
  const wish = useChange(
    (body: WalletCredentialsSetGoogleBody, options) =>
      laurel.walletCredentials.setGoogle(body, options),
    {
      forgets: WALLET_VIEWS,
      says: ({ google }) => say(google.ready ? 'wallets.saved' : 'wallets.savedNotReady'),
      onDone: onClose,
    },
  );
  const isNone = file.trim() !== '' && account === null;
  const missing = [
    ...(issuer.trim() === '' ? [say('wallets.issuer_id')] : []),
    ...(account === null ? [say('wallets.service_account')] : []),
  ];
  const send = () => {
    if (account) void wish.send({ issuer_id: issuer.trim(), service_account: account });
  };
  return (
    <Sheet title={say('wallets.enter.google')} onClose={onClose} isWide>
      <WishForm
        wish={wish}
        onSend={send}
        button={say('save')}
        missing={missing}
        fields={['issuer_id', 'service_account']}
      >
        <TextInput
          label={say('wallets.issuer_id')}
          required
          inputMode="numeric"
          autoComplete="off"
          value={issuer}
          error={troubleOf(wish.refused, 'issuer_id')}
          onChange={(event) => setIssuer(event.currentTarget.value)}
        />
        <Textarea
          label={say('wallets.service_account')}
          description={say('wallets.json')}
          required
          rows={8}
          autoComplete="off"
          spellCheck={false}
          value={file}
          error={isNone ? say('wrong.serviceAccount') : troubleOf(wish.refused, 'service_account')}
          onChange={(event) => setFile(event.currentTarget.value)}
        />
      </WishForm>
    </Sheet>
  );
}

/** The object that a file of JSON holds; null where it holds none. */
function accountIn(file: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(file);
    const isObject = typeof read === 'object' && read !== null && !Array.isArray(read);
    return isObject ? (read as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
