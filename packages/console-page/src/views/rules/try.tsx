import type { AutomationsSimulateBody, AutomationsSimulateResult, Client } from '@laurel/client';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { ClientPicker } from '../../parts/client-picker';
import { DecimalField } from '../../parts/decimal-field';
import { Trouble } from '../../parts/loaded';
import { Notice } from '../../parts/notice';
import { Panel } from '../../parts/page';
import { useWish } from '../../parts/wish';
import type { RuleBody } from '../../rule/body';

const EVENT: Readonly<Record<RuleBody['trigger_type'], string>> = {
  transaction: 'purchase',
  custom_event: 'visit',
  field_change: 'field_updated',
  pass_lifecycle: 'pass_installed',
  loyalty: 'points_earned',
  referral: 'referral_completed',
  time_based: 'schedule',
};

/** Where the rule on the screen stands among those that are not saved: it is the only one. */
const OWN = 0;

/** What the rules would do for a customer now, this one as it stands on the screen; nothing of it happens. */
export function Try({ id, rule }: { id: string | undefined; rule: RuleBody }): ReactNode {
  const { laurel, language, settings } = useConsole();
  const { say } = language;
  const [client, setClient] = useState<Client | null>(null);
  const [amount, setAmount] = useState<number | null>(20);
  const [told, setTold] = useState<{ of: string; result: AutomationsSimulateResult } | null>(null);
  const wish = useWish(
    (body: AutomationsSimulateBody) => laurel.automations.simulate(body),
    (result, body) => setTold({ of: JSON.stringify(body), result }),
  );
  const isPurchase = rule.trigger_type === 'transaction';
  const body = client && {
    client_id: client.id,
    event: {
      trigger_type: rule.trigger_type,
      event_type: rule.trigger_config?.event_types?.[0] ?? EVENT[rule.trigger_type],
      ...(isPurchase ? { amount: amount ?? 0 } : {}),
    },
    rules: [{ ...rule, ...(id === undefined ? {} : { id }), active: true }],
  };
  // Of another customer, another amount or the rule as it was before nothing was asked yet.
  const result = told?.of === JSON.stringify(body) ? told.result : null;
  const own = result?.matched.find(({ draft_index }) => draft_index === OWN);
  const skipped = result?.skipped.find(({ draft_index }) => draft_index === OWN);
  const others = result?.matched.filter(({ draft_index }) => draft_index !== OWN) ?? [];
  return (
    <Panel title={say('rule.try')}>
      <p className="hint">{say('try.text')}</p>
      <ClientPicker label={say('found.client')} value={client} onChange={setClient} />
      {isPurchase && (
        <DecimalField
          label={say('try.amount')}
          unit={settings.default_currency}
          value={amount}
          onChange={setAmount}
        />
      )}
      <p className="hint">{say('try.asShown')}</p>
      {wish.refused !== null && <Trouble error={wish.refused} />}
      <Button
        variant="default"
        onClick={() => body && void wish.send(body)}
        disabled={!body}
        loading={wish.isBusy}
      >
        {say('try.go')}
      </Button>
      {result && (
        <div aria-live="polite" className="stack">
          {own && (
            <Notice kind="good">✓ {own.effects.map(({ summary }) => summary).join(' · ')}</Notice>
          )}
          {skipped && (
            <Notice kind="warn">
              ✗ {say(`try.${skipped.reason}`)}{' '}
              <small className="request-id">{skipped.detail}</small>
            </Notice>
          )}
          <div>
            <h3>{say('try.others')}</h3>
            {others.length === 0 ? (
              <p className="hint">{say('try.noOthers')}</p>
            ) : (
              <ul className="plain-list">
                {others.map((one) => (
                  <li key={one.rule_id}>
                    <span>{one.name}</span>
                    <small>{one.effects.map(({ summary }) => summary).join(' · ')}</small>
                  </li>
                ))}
              </ul>
            )}
          </div>
        </div>
      )}
    </Panel>
  );
}
