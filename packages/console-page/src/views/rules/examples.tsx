import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { Go } from '../../parts/go';
import { EXAMPLES, exampleRule } from '../../rule/examples';
import { tellRule } from '../../rule/sentence';
import { useTelling } from '../../rule/use-telling';

/** Rules to start from, each as the sentence that it is. */
export function Examples(): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const { telling } = useTelling();
  return (
    <div className="stack">
      <p>{say('rules.examples')}</p>
      <div className="grid-3">
        {EXAMPLES.map((example) => {
          const rule = telling && exampleRule(example, say, telling.names);
          return (
            <article key={example} className="panel">
              <h2>
                <Go to="/rules/new" search={{ example }}>
                  {say(`rule.example.${example}`)}
                </Go>
              </h2>
              <p>
                {rule && rule.effects.length > 0 ? tellRule(telling, rule) : say('rules.blank')}
              </p>
            </article>
          );
        })}
      </div>
    </div>
  );
}
