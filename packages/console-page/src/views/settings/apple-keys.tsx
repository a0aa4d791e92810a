import type { WalletCredentialsSetAppleBody } from '@laurel/client';
import { PasswordInput, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useChange } from '../../parts/change';
import { useDraft } from '../../parts/draft';
import { Sheet } from '../../parts/sheet';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';
import { WALLET_VIEWS } from './wallet-views';

const EXAMPLES = { pass_type_identifier: 'pass.com.example.card', team_identifier: 'ABCDE12345' };
const NAMES = ['pass_type_identifier', 'team_identifier'] as const;
const TEXTS = ['certificate', 'key', 'wwdr_certificate'] as const;
const REQUIRED = [...NAMES, ...TEXTS] as const;

/** A certificate of Apple's for the cards of this workspace. What is sent is never shown again. */
export function AppleKeys({ onClose }: { onClose: () => void }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const { draft, set } = useDraft<WalletCredentialsSetAppleBody>();
  const wish = useChange(
    (body: WalletCredentialsSetAppleBody, options) =>
      laurel.walletCredentials.setApple(body, options),
    {
      forgets: WALLET_VIEWS,
      says: ({ apple }) => say(apple.ready ? 'wallets.saved' : 'wallets.savedNotReady'),
      onDone: onClose,
    },
  );
  const trimmed = (name: keyof WalletCredentialsSetAppleBody) => draft[name]?.trim() ?? '';
  const send = () => {
    const given = Object.fromEntries(REQUIRED.map((name) => [name, trimmed(name)]));
    const { passphrase } = draft;
    void wish.send({
      ...(given as unknown as WalletCredentialsSetAppleBody),
      ...(passphrase ? { passphrase } : {}),
    });
  };
  return (
    <Sheet title={say('wallets.enter.apple')} onClose={onClose} isWide>
      <WishForm
        wish={wish}
        onSend={send}
        button={say('save')}
        missing={REQUIRED.filter((name) => trimmed(name) === '').map((name) =>
          say(`wallets.${name}`),
        )}
        fields={[...REQUIRED, 'passphrase']}
      >
        {NAMES.map((name) => (
          <TextInput
            key={name}
            label={say(`wallets.${name}`)}
            placeholder={EXAMPLES[name]}
            required
            autoComplete="off"
            spellCheck={false}
            value={draft[name] ?? ''}
            error={troubleOf(wish.refused, name)}
            onChange={(event) => set({ [name]: event.currentTarget.value })}
          />
        ))}
        {TEXTS.map((name) => (
          <Textarea
            key={name}
            label={say(`wallets.${name}`)}
            description={say('wallets.pem')}
            required
            rows={4}
            autoComplete="off"
            spellCheck={false}
            value={draft[name] ?? ''}
            error={troubleOf(wish.refused, name)}
            onChange={(event) => set({ [name]: event.currentTarget.value })}
          />
        ))}
        <PasswordInput
          label={`${say('wallets.passphrase')} (${say('optional')})`}
          autoComplete="off"
          value={draft.passphrase ?? ''}
          error={troubleOf(wish.refused, 'passphrase')}
          onChange={(event) => set({ passphrase: event.currentTarget.value })}
        />
      </WishForm>
    </Sheet>
  );
}
