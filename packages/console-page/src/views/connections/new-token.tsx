import type { ApiToken } from '@laurel/client';
import type { TokenScope } from '@laurel/contract';
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useForget } from '../../parts/ask';
import { Sheet } from '../../parts/sheet';
import { useWish } from '../../parts/wish';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';
import { Secret } from './secret';

const SCOPES: readonly TokenScope[] = ['read', 'operate', 'configure', 'full'];

/** A token for one purpose; it is shown this once. */
export function NewToken({ onClose }: { onClose: () => void }): ReactNode {
  const { laurel, language, workspace } = useConsole();
  const { say } = language;
  const forget = useForget();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<ApiToken['scope']>('read');
  const [isBound, setBound] = useState(true);
  const [token, setToken] = useState<string | null>(null);
  const wish = useWish(
    () =>
      laurel.user.createApiToken({
        name: name.trim(),
        scope,
        workspace_id: isBound ? workspace.id : null,
      }),
    (made) => {
      forget('api-tokens');
      setToken(made.token);
    },
  );
  return (
    <Sheet title={say('tokens.new')} onClose={onClose} isAwaited={wish.isBusy}>
      {token ? (
        <div className="stack">
          <Secret value={token} />
        </div>
      ) : (
        <WishForm
          wish={wish}
          onSend={() => void wish.send(undefined)}
          button={say('add')}
          missing={name.trim() === '' ? [say('tokens.name')] : []}
        >
          <TextInput
            label={say('tokens.name')}
            data-autofocus
            required
            maxLength={100}
            value={name}
            error={troubleOf(wish.refused, 'name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <NativeSelect
            label={say('tokens.scope')}
            value={scope}
            data={SCOPES.map((value) => ({ value, label: say(`tokens.${value}`) }))}
            onChange={(event) => setScope(event.currentTarget.value as ApiToken['scope'])}
          />
          <Checkbox
            label={say('tokens.bound')}
            checked={isBound}
            onChange={(event) => setBound(event.currentTarget.checked)}
          />
        </WishForm>
      )}
    </Sheet>
  );
}
