import type { Attention, Me } from '@laurel/client';
import type { ReactNode } from 'react';
import { placeOf } from '../../api/overview';
import type { Say, WordKey } from '../../language';
import { Badge } from '../../parts/badge';
import { Go } from '../../parts/go';
import { Panel } from '../../parts/page';
import { useText } from '../../text';
import { nameOfProvider } from '../connections/providers';

/** Addresses go by their host, formats of files in capitals, shop systems as they are called. */
function nameOf(say: Say, { kind, subject: { type, name } }: Attention): string {
  if (kind === 'webhook_failing') return URL.canParse(name) ? new URL(name).host : name;
  if (type === 'sales_import') return nameOfProvider(say, name);
  return kind === 'import_failed' ? name.toUpperCase() : name;
}

const sayNeed = (say: Say, need: Attention): string =>
  say(need.subject.type === 'sales_import' ? 'need.sales_failed' : `need.${need.kind}`, {
    name: nameOf(say, need),
    count: need.count,
  });

/** What waits for somebody; absent when nothing does. */
export function Needs({ needs }: { needs: readonly Attention[] }): ReactNode {
  const { say } = useText();
  return (
    <Panel title={say('overview.needs')}>
      <ul className="plain-list">
        {needs.map((need) => {
          const [path, query] = placeOf(need).split('?');
          const search = Object.fromEntries(new URLSearchParams(query));
          return (
            <li key={`${need.kind} ${need.subject.id}`} className="need">
              <Badge kind={need.severity === 'error' ? 'bad' : 'plain'}>
                {say(`need.${need.severity}`)}
              </Badge>
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
