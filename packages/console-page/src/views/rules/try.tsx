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
import { happeningFor, isRefused, tellForeseen, tellSkipped } from '../../rule/outcome';
import type { Telling } from '../../rule/sentence';

/** Where the rule on the screen stands among those that are not saved: it is the only one. */
const OWN = 0;

/** What the rules would do for a customer now, this one as it stands on the screen; nothing of it happens. */
export function Try({
  id,
  rule,
  telling,
}: {
  id: string | undefined;
  rule: RuleBody;
  telling: Telling;
}): ReactNode {
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
      ...happeningFor(rule),
      ...(isPurchase ? { amount: amount ?? 0 } : {}),
    },
    rules: [{ ...rule, ...(id === undefined ? {} : { id }), active: true }],
  };
  // Of another customer, another amount or the rule as it was before nothing was asked yet.
  const result = told?.of === JSON.stringify(body) ? told.result : null;
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
          <Result result={result} rule={rule} telling={telling} />
        </div>
      )}
    </Panel>
  );
}

/** What the rule on the screen would do or why it would not, and what others would do besides and because of it. */
function Result({
  result: { matched, skipped, following, not_foretold: open },
  rule,
  telling,
}: {
  result: AutomationsSimulateResult;
  rule: RuleBody;
  telling: Telling;
}): ReactNode {
  const { say } = telling;
  const own = matched.find(({ draft_index }) => draft_index === OWN);
  const left = skipped.find(({ draft_index }) => draft_index === OWN);
  const others = [...matched.filter((one) => one !== own), ...following];
  const why = left && tellSkipped(telling, left, rule);
  return (
    <>
      {own && (
        <Notice kind={own.effects.some(isRefused) ? 'warn' : 'good'}>
          {own.effects
            .map((effect, at) => {
              const told = tellForeseen(telling, effect, rule.effects[at]);
              return `${isRefused(effect) ? '✗' : '✓'} ${told}`;
            })
            .join(' · ')}
        </Notice>
      )}
      {left && (
        <Notice kind="warn">
          ✗ {say(`try.${left.reason}`)} {why && <small className="request-id">{why}</small>}
        </Notice>
      )}
      <div>
        <h3>{say('try.others')}</h3>
        {others.length + open.length === 0 ? (
          <p className="hint">{say('try.noOthers')}</p>
        ) : (
          <ul className="plain-list">
            {others.map(({ rule_id, name, effects }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a rule may follow twice, and the list never changes
              <li key={`${rule_id} ${at}`}>
                <span>{name}</span>
                <small>{effects.map((effect) => tellForeseen(telling, effect)).join(' · ')}</small>
              </li>
            ))}
            {open.map(({ rule_id, name, reason }) => (
              <li key={`${rule_id} ${reason}`}>
                <span>{name}</span>
                <small>{say(`try.open.${reason}`)}</small>
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}
