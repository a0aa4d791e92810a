import type { Rule, RuleRow } from '@laurel/client';
import { Button, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { lastDayOf } from '../../format/days';
import { useAsk, useForget } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { useChange } from '../../parts/change';
import { CopyButton } from '../../parts/copy-button';
import { Listed } from '../../parts/editing';
import { Go, useGo } from '../../parts/go';
import { Loaded, Trouble } from '../../parts/loaded';
import { Page } from '../../parts/page';
import { Refused } from '../../parts/refused';
import { Sparkline, sumOfDays } from '../../parts/sparkline';
import { Tabs } from '../../parts/tabs';
import { useToast } from '../../parts/toast';
import { useWish } from '../../parts/wish';
import { tellRule } from '../../rule/sentence';
import { useTelling } from '../../rule/use-telling';
import { Examples } from './examples';
import { Friends } from './friends';
import { Runs } from './runs';

/** Every rule in the order in which they run, as a sentence with a switch. */
export function Rules(): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const go = useGo();
  return (
    <Page
      title={say('rules.title')}
      actions={
        <Button data-key="c" onClick={() => go('/rules/new')}>
          {say('rules.new')}
        </Button>
      }
    >
      <Tabs
        label={say('rules.title')}
        tabs={[
          { id: 'all', title: say('rules.title'), view: () => <RuleList /> },
          { id: 'runs', title: say('rules.runs'), view: () => <Runs /> },
          { id: 'friends', title: say('friends.title'), view: () => <Friends /> },
        ]}
      />
    </Page>
  );
}

function RuleList(): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const { telling } = useTelling();
  const rules = useAsk(['rules', 'last30'], () => laurel.automations.list({ expand: ['last30'] }));
  const order = useWish(
    (rule_ids: string[], options) => laurel.automations.reorder({ rule_ids }, options),
    () => forget('rules'),
  );
  return (
    <Loaded query={rules} lines={8}>
      {(rows) =>
        rows.length === 0 ? (
          <Examples />
        ) : (
          <>
            {order.refused !== null && <Trouble error={order.refused} />}
            <ol className="cards-list">
              {rows.map((rule, at) => (
                <li key={rule.id} className="panel rule-row">
                  <Listed
                    row={rule}
                    read={() => laurel.automations.get(rule.id)}
                    list={rules}
                    versionOf={({ date_updated }) => date_updated}
                  >
                    <RuleItem
                      rule={rule}
                      sentence={telling ? tellRule(telling, rule as never) : ''}
                    >
                      <button
                        type="button"
                        className="icon-button"
                        disabled={at === 0}
                        aria-label={say('rules.up', { name: rule.name })}
                        onClick={() => void order.send(swapped(rows, at - 1))}
                      >
                        ↑
                      </button>
                      <button
                        type="button"
                        className="icon-button"
                        disabled={at === rows.length - 1}
                        aria-label={say('rules.down', { name: rule.name })}
                        onClick={() => void order.send(swapped(rows, at))}
                      >
                        ↓
                      </button>
                    </RuleItem>
                  </Listed>
                </li>
              ))}
            </ol>
          </>
        )
      }
    </Loaded>
  );
}

function RuleItem({
  rule,
  sentence,
  children,
}: {
  rule: RuleRow;
  sentence: string;
  /** What moves it among the others. */
  children: ReactNode;
}): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const toast = useToast();
  const turn = useChange(
    (active: boolean, options) => laurel.automations.update(rule.id, { active }, options),
    {
      forgets: ['rules'],
      onDone: ({ active, name }) =>
        toast({
          text: say(active ? 'rules.isOn' : 'rules.isOff', { name }),
          undo: () => void turn.send(!active),
        }),
    },
  );
  return (
    <>
      <div className="grow">
        <h2>
          <Go to={`/rules/${rule.id}`}>{rule.name}</Go>
        </h2>
        <p>{sentence}</p>
        <p className="row hint">
          <Sparkline
            text={say('last30', { count: sumOfDays(rule.last30 ?? []) })}
            days={rule.last30 ?? []}
          />
          {rule.usage.executions > 0 && (
            <span>{say('rewards.inAll', { amount: format.number(rule.usage.executions) })}</span>
          )}
          {rule.usage.remaining_budget !== null && (
            <span>{say('rules.left', { amount: format.number(rule.usage.remaining_budget) })}</span>
          )}
          <Window rule={rule} />
        </p>
        <Refused error={turn.refused} onTheirs={turn.forget} />
      </div>
      <div className="row">
        <CopyButton
          name={rule.name}
          list="rules"
          copy={(options) => laurel.automations.duplicate(rule.id, options)}
        />
        {children}
        <Switch
          aria-label={say('rules.switch', { name: rule.name })}
          checked={rule.active}
          disabled={turn.isBusy}
          onChange={() => void turn.send(!rule.active)}
        />
      </div>
    </>
  );
}

/** The order in which the rule at a place and the one after it have changed theirs. */
function swapped(rows: readonly Rule[], at: number): string[] {
  const ids = rows.map(({ id }) => id);
  [ids[at], ids[at + 1]] = [ids[at + 1]!, ids[at]!];
  return ids;
}

/** Whether a rule waits for its time, or had it. */
function Window({ rule }: { rule: Rule }): ReactNode {
  const { format, language } = useConsole();
  const { say } = language;
  const { start_date, end_date } = rule.activity_window as Record<
    string,
    string | null | undefined
  >;
  const now = new Date().toISOString();
  const until = end_date ? format.day(lastDayOf(end_date, format.timezone)) : '';
  if (start_date && start_date > now)
    return <Badge kind="warn">{say('rules.waits', { day: format.day(start_date) })}</Badge>;
  if (end_date && end_date < now) return <Badge>{say('rules.ended', { day: until })}</Badge>;
  if (rule.usage.remaining_budget === 0) return <Badge kind="warn">{say('rules.usedUp')}</Badge>;
  return end_date ? <span>{say('rules.until', { day: until })}</span> : null;
}
