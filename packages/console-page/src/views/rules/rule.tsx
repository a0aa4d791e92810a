import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Editing, readSeen } from '../../parts/editing';
import { usePathPart, useSearch } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Managed } from '../../parts/managed';
import { Page } from '../../parts/page';
import { Tabs } from '../../parts/tabs';
import type { RuleBody } from '../../rule/body';
import { EXAMPLES, exampleRule } from '../../rule/examples';
import { useTelling } from '../../rule/use-telling';
import { Examples } from './examples';
import { RuleForm } from './rule-form';
import { Runs } from './runs';

/** One rule: a new one begins as an example. */
export function RulePage(): ReactNode {
  const id = usePathPart(1);
  return id === 'new' ? <NewRule /> : <KnownRule key={id} id={id} />;
}

function NewRule(): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const [search] = useSearch();
  const { query, telling } = useTelling();
  const example = EXAMPLES.find((one) => one === search.example);
  return (
    <Page title={say('rules.new')} back={{ to: '/rules', label: say('rules.title') }}>
      {example ? (
        <Loaded query={query} lines={10}>
          {() =>
            telling && (
              <RuleForm
                key={example}
                first={exampleRule(example, say, telling.names)}
                telling={telling}
              />
            )
          }
        </Loaded>
      ) : (
        <Examples />
      )}
    </Page>
  );
}

function KnownRule({ id }: { id: string }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const rule = useAsk(['rules', id], () => readSeen(laurel.automations.get(id)));
  const { query, telling } = useTelling();
  return (
    <Loaded query={rule} lines={12}>
      {(found) => (
        <Page title={found.name} back={{ to: '/rules', label: say('rules.title') }}>
          <Managed kind="rules" name={found.key} />
          <Tabs
            label={found.name}
            tabs={[
              {
                id: 'rule',
                title: say('rule.title'),
                view: () => (
                  <Loaded query={query} lines={10}>
                    {() =>
                      telling && (
                        <Editing query={rule}>
                          {(row) => (
                            <RuleForm
                              id={id}
                              first={row as unknown as RuleBody}
                              telling={telling}
                            />
                          )}
                        </Editing>
                      )
                    }
                  </Loaded>
                ),
              },
              { id: 'runs', title: say('rules.runs'), view: () => <Runs ruleId={id} /> },
            ]}
          />
        </Page>
      )}
    </Loaded>
  );
}
