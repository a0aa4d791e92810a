import type { Me } from '@laurel/client';
import type { ReactNode } from 'react';
import type { Need } from '../../api/overview';
import type { Say, WordKey } from '../../language';
import { Go } from '../../parts/go';
import { Panel } from '../../parts/page';
import { useText } from '../../text';

function sayNeed(say: Say, need: Need): string {
  if (need.kind === 'webhook') return say('need.webhook', { name: need.name });
  if (need.kind === 'rules') return say('need.rules', { count: need.count });
  return say('need.integration', { name: need.name, error: need.error });
}

/** What waits for somebody; absent when nothing does. */
export function Needs({ needs }: { needs: readonly Need[] }): ReactNode {
  const { say } = useText();
  return (
    <Panel title={say('overview.needs')}>
      <ul className="plain-list">
        {needs.map((need) => {
          const [path, query] = need.to.split('?');
          const search = Object.fromEntries(new URLSearchParams(query));
          return (
            <li key={need.to + need.kind}>
              <Go to={path!} search={search}>
                {sayNeed(say, need)}
              </Go>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

type Setup = Me['setup'];

const STEPS: readonly [keyof Setup, string][] = [
  ['currency', '/settings?tab=currencies'],
  ['rule', '/rules/new'],
  ['reward', '/rewards/new'],
  ['card', '/cards'],
  ['form', '/forms'],
  ['portal', '/settings?tab=portal'],
  ['till', '/till'],
];

/** What is still to be done, until it is. */
export function Todo({ setup }: { setup: Setup }): ReactNode {
  const { say } = useText();
  const open = STEPS.filter(([step]) => setup[step] === false);
  if (open.length === 0) return null;
  return (
    <Panel title={say('overview.todo')}>
      <ul className="plain-list">
        {open.map(([step, to]) => {
          const [path, query] = to.split('?');
          return (
            <li key={step}>
              <Go to={path!} search={Object.fromEntries(new URLSearchParams(query))}>
                {say(`overview.todo.${step}` as WordKey)}
              </Go>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
