import type { Distribution } from '@laurel/client';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { useChange } from '../../parts/change';
import { CopyText } from '../../parts/copy-text';
import { Notice } from '../../parts/notice';
import { Panel } from '../../parts/page';
import { Refused } from '../../parts/refused';

/** The form within pages of the shop's own: the code that goes there, and where it may stand. */
export function Embed({ form }: { form: Distribution }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const brand = useAsk(['brand'], () => laurel.brand.get());
  const [token, setToken] = useState<string | null>(null);
  const make = useChange(
    (_: null, options) => laurel.distributions.rotateApiToken(form.id, options),
    { forgets: ['forms'], onDone: (made) => setToken(made.data.token) },
  );
  const isMade = form.api_token_prefix !== null;
  const { primary = null } = brand.data?.colours ?? {};
  const colour = primary === null ? '' : ` data-primary-color="${primary}"`;
  const code = `<script src="${location.origin}/embed.js" data-token="${token}"${colour} async></script>`;
  return (
    <Panel title={say('form.embed')}>
      <p className="hint">{say('form.embed.text')}</p>
      {form.allowed_origins.length === 0 && (
        <Notice kind="warn">{say('form.embed.nowhere')}</Notice>
      )}
      <Refused error={make.refused} onTheirs={make.forget} />
      {token !== null && (
        <>
          <CopyText label={say('form.embed.code')} value={code} rows={4} />
          <Notice kind="warn">{say('form.embed.once')}</Notice>
        </>
      )}
      <div>
        <Button
          variant="default"
          loading={make.isBusy}
          onClick={() => {
            if (!isMade || confirm(say('form.embed.ask'))) void make.send(null);
          }}
        >
          {say(isMade ? 'form.embed.again' : 'form.embed.make')}
        </Button>
      </div>
      {form.allowed_origins.length > 0 && <p className="hint">{say('form.embed.wrong')}</p>}
    </Panel>
  );
}

/** The form as visitors see it. It has no origin, so that nothing can be sent from here by mistake. */
export function Preview({ address }: { address: string }): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  return (
    <Panel title={say('form.preview')}>
      <iframe
        className="form-drawn"
        title={say('form.preview')}
        src={`${new URL(address).pathname}?preview`}
        sandbox="allow-scripts"
      />
    </Panel>
  );
}
