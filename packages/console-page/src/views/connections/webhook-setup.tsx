import type { Webhook } from '@laurel/client';
import { Button, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useForget } from '../../parts/ask';
import { useChange } from '../../parts/change';
import { DeleteButton } from '../../parts/delete-button';
import { useGo } from '../../parts/go';
import { Trouble } from '../../parts/loaded';
import { Panel } from '../../parts/page';
import { Refused } from '../../parts/refused';
import { useWish } from '../../parts/wish';
import { useRulesOff } from '../../rule/use-rules-off';
import { tellEvents } from './tell-events';

/** Whether an address hears of events, of which, and under which secret. */
export function WebhookSetup({
  webhook: { id, active, event_types },
  onSecret,
  onEdit,
}: {
  webhook: Webhook;
  /** With a new one, which is shown once. */
  onSecret: (secret: string) => void;
  /** Another address or other events are wanted. */
  onEdit: () => void;
}): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const go = useGo({ ignoreBlocker: true });
  const forget = useForget();
  const rulesOff = useRulesOff(id);
  const turn = useChange(
    (wanted: boolean, options) => laurel.webhooks.update(id, { active: wanted }, options),
    { forgets: ['webhooks', 'overview'] },
  );
  const rotate = useWish(
    (_: null, options) => laurel.webhooks.rotateSecret(id, options),
    (result) => {
      onSecret(result.secret);
      forget('webhooks');
    },
  );
  const remove = useChange((_: null, options) => laurel.webhooks.delete(id, options), {
    forgets: ['webhooks', 'names'],
    onDone: () => go('/connections'),
  });
  return (
    <Panel title={say('webhook.setup')}>
      <Refused error={turn.refused ?? remove.refused} />
      {rotate.refused !== null && <Trouble error={rotate.refused} />}
      <Switch
        label={say('webhook.isOn')}
        checked={active}
        disabled={turn.isBusy}
        onChange={() => void turn.send(!active)}
      />
      <p className="hint">{tellEvents(say, event_types)}</p>
      {rulesOff && <p className="hint">{rulesOff}</p>}
      <div className="row">
        <Button variant="default" onClick={onEdit}>
          {say('edit')}
        </Button>
        <Button
          variant="default"
          loading={rotate.isBusy}
          onClick={() => {
            if (confirm(say('webhook.rotate.ask'))) void rotate.send(null);
          }}
        >
          {say('webhook.rotate')}
        </Button>
        <DeleteButton ask={`${say('webhook.delete.ask')} ${rulesOff}`.trim()} wish={remove} />
      </div>
    </Panel>
  );
}
