import type { Rule } from '@laurel/client';
import { Button, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { CopyButton } from '../../parts/copy-button';
import { Go, useGo } from '../../parts/go';
import { Loaded, Trouble } from '../../parts/loaded';
import { Page } from '../../parts/page';
import { Sparkline, sumOfDays } from '../../parts/sparkline';
import { Tabs } from '../../parts/tabs';
import { useToast } from '../../parts/toast';
import { useWish } from '../../parts/wish';
import { tellRule } from '../../rule/sentence';
import { useTelling } from '../../rule/use-telling';
import { Examples } from './examples';
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
        ]}
      />
    </Page>
  );
}

function RuleList(): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const toast = useToast();
  const { telling } = useTelling();
  const rules = useAsk(['rules', 'last30'], () => laurel.automations.list({ expand: ['last30'] }));
  const turn = useWish(
    ({ id, active }: { id: string; active: boolean }, options) =>
      laurel.automations.update(id, { active }, options),
    (rule) => {
      forget('rules');
      toast({
        text: say(rule.active ? 'rules.isOn' : 'rules.isOff', { name: rule.name }),
        undo: () => void turn.send({ id: rule.id, active: !rule.active }),
      });
    },
  );
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
            {(turn.refused ?? order.refused) !== null && (
              <Trouble error={turn.refused ?? order.refused} />
            )}
            <ol className="cards-list">
              {rows.map((rule, at) => (
                <li key={rule.id} className="panel rule-row">
                  <div className="grow">
                    <h2>
                      <Go to={`/rules/${rule.id}`}>{rule.name}</Go>
                    </h2>
                    <p>{telling ? tellRule(telling, rule as never) : ''}</p>
                    <p className="row hint">
                      <Sparkline
                        text={say('last30', { count: sumOfDays(rule.last30 ?? []) })}
                        days={rule.last30 ?? []}
                      />
                      {rule.usage.executions > 0 && (
                        <span>
                          {say('rewards.inAll', { amount: format.number(rule.usage.executions) })}
                        </span>
                      )}
                      {rule.usage.remaining_budget !== null && (
                        <span>
                          {say('rules.left', {
                            amount: format.number(rule.usage.remaining_budget),
                          })}
                        </span>
                      )}
                      <Window rule={rule} />
                    </p>
                  </div>
                  <div className="row">
                    <CopyButton
                      name={rule.name}
                      list="rules"
                      copy={(options) => laurel.automations.duplicate(rule.id, options)}
                    />
                    <button
                      type="button"
                      className="icon-button"
                      disabled={at === 0 || order.isBusy}
                      aria-label={say('rules.up', { name: rule.name })}
                      onClick={() => void order.send(swapped(rows, at - 1))}
                    >
                      ↑
                    </button>
                    <button
                      type="button"
                      className="icon-button"
                      disabled={at === rows.length - 1 || order.isBusy}
                      aria-label={say('rules.down', { name: rule.name })}
                      onClick={() => void order.send(swapped(rows, at))}
                    >
                      ↓
                    </button>
                    <Switch
                      aria-label={say('rules.switch', { name: rule.name })}
                      checked={rule.active}
                      disabled={turn.isBusy}
                      onChange={() => void turn.send({ id: rule.id, active: !rule.active })}
                    />
                  </div>
                </li>
              ))}
            </ol>
          </>
        )
      }
    </Loaded>
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
  if (start_date && start_date > now)
    return <Badge kind="warn">{say('rules.waits', { day: format.day(start_date) })}</Badge>;
  if (end_date && end_date < now)
    return <Badge>{say('rules.ended', { day: format.day(end_date) })}</Badge>;
  if (rule.usage.remaining_budget === 0) return <Badge kind="warn">{say('rules.usedUp')}</Badge>;
  return end_date ? <span>{say('rules.until', { day: format.day(end_date) })}</span> : null;
}
