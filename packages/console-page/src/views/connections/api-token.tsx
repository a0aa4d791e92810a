import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { Loaded, Trouble } from '../../parts/loaded';
import { Panel } from '../../parts/page';
import { useWish } from '../../parts/wish';
import { Secret } from './secret';

/** The key for programs of one's own. */
export function ApiToken(): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const state = useAsk(['api-token'], () => laurel.user.getApiToken());
  const [token, setToken] = useState<string | null>(null);
  const make = useWish(
    () => laurel.user.regenerateApiToken(),
    (made) => {
      setToken(made.token);
      forget('api-token');
    },
  );
  const remove = useWish(
    () => laurel.user.deleteApiToken(),
    () => {
      setToken(null);
      forget('api-token');
    },
  );
  const refused = make.refused ?? remove.refused;
  return (
    <Panel title={say('token.title')}>
      <p>{say('token.text')}</p>
      {refused !== null && <Trouble error={refused} />}
      <Loaded query={state} lines={2}>
        {({ has_token }) => (
          <>
            {token && <Secret value={token} />}
            <div className="row">
              <Button
                loading={make.isBusy}
                onClick={() => {
                  if (!has_token || confirm(say('token.ask'))) void make.send(undefined);
                }}
              >
                {say(has_token ? 'token.again' : 'token.make')}
              </Button>
              {has_token && (
                <Button
                  variant="default"
                  loading={remove.isBusy}
                  onClick={() => {
                    if (confirm(say('token.ask'))) void remove.send(undefined);
                  }}
                >
                  {say('delete')}
                </Button>
              )}
            </div>
          </>
        )}
      </Loaded>
      <p>
        <a href="/docs">{say('token.docs')}</a>
      </p>
    </Panel>
  );
}
