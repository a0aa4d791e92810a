import type { Call, Rule } from '@laurel/client';
import { RULE_MEMBERS } from '@laurel/contract';
import { Switch, TextInput } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { useConsole } from '../../console';
import { useChange } from '../../parts/change';
import { DeleteButton } from '../../parts/delete-button';
import { useGo } from '../../parts/go';
import { holdsNoNumber } from '../../parts/no-number';
import { Panel } from '../../parts/page';
import { Refused } from '../../parts/refused';
import { SaveBar } from '../../parts/save-bar';
import { troubleOf } from '../../refusals';
import type { RuleBody } from '../../rule/body';
import { type Telling, tellRule } from '../../rule/sentence';
import { unshownOf } from '../../rule/unshown';
import { ConditionList } from './condition-list';
import { EffectList } from './effect-list';
import { LimitFields } from './limit-fields';
import { Past } from './past';
import { TriggerFields } from './trigger-fields';
import { Try } from './try';

const bodyOf = (rule: RuleBody): RuleBody =>
  Object.fromEntries(
    RULE_MEMBERS.filter((name) => rule[name] !== undefined).map((name) => [name, rule[name]]),
  ) as unknown as RuleBody;

/** When, if, then; beside it the sentence, a try on a customer, and what it would have done. */
export function RuleForm({
  id,
  first,
  telling,
}: {
  id?: string;
  first: RuleBody;
  telling: Telling;
}): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const go = useGo();
  const leave = useGo({ ignoreBlocker: true });
  const [rule, setRule] = useState(() => bodyOf(first));
  const [isDirty, setDirty] = useState(id === undefined);
  const set = (change: Partial<RuleBody>) => {
    setDirty(true);
    setRule({ ...rule, ...change });
  };
  const wish = useChange(
    (body: RuleBody, options): Call<Rule> =>
      id ? laurel.automations.set(id, body, options) : laurel.automations.create(body, options),
    {
      forgets: ['rules', 'names', 'overview'],
      says: ({ active, name }) => say(active ? 'rules.isOn' : 'rules.isSavedOff', { name }),
      onDone(saved, sent) {
        // What was typed meanwhile is not saved yet.
        setDirty(JSON.stringify(rule) !== JSON.stringify(sent));
        if (!id) setTimeout(() => go(`/rules/${saved.id}`));
      },
    },
  );
  const remove = useChange((_: null, options) => laurel.automations.delete(id!, options), {
    forgets: ['rules', 'names', 'overview'],
    onDone: () => leave('/rules'),
  });
  const { refused } = wish;
  const more = unshownOf(rule);
  const form = useRef<HTMLFormElement>(null);
  const turn = (active: boolean) => {
    // All of the rule goes with it: what is no number would go as no limit at all.
    if (holdsNoNumber(form.current)) return;
    set({ active });
    // A switch is a wish of its own: no member looks for a second button.
    if (id) void wish.send({ ...rule, active });
  };
  return (
    <form className="stack" ref={form} onSubmit={(event) => event.preventDefault()}>
      <div className="panel sentence" aria-live="polite">
        <p>{tellRule(telling, rule)}</p>
        <Switch
          label={say(rule.active ? 'rule.on' : 'rule.off')}
          checked={rule.active ?? false}
          disabled={wish.isBusy}
          onChange={(event) => turn(event.currentTarget.checked)}
        />
      </div>
      {more.length > 0 && <p className="hint">{say('rule.more', { text: more.join(', ') })}</p>}
      <div className="with-aside">
        <div className="stack">
          <Panel>
            <TextInput
              label={say('name')}
              required
              value={rule.name}
              error={troubleOf(refused, 'name')}
              onChange={(event) => set({ name: event.currentTarget.value })}
            />
          </Panel>
          <Panel title={say('rule.when')}>
            <TriggerFields rule={rule} onChange={set} refused={refused} />
          </Panel>
          <Panel title={say('rule.if')}>
            <ConditionList
              conditions={rule.conditions ?? []}
              onChange={(conditions) => set({ conditions })}
              telling={telling}
              refused={refused}
            />
          </Panel>
          <Panel title={say('rule.then')}>
            <EffectList
              effects={rule.effects}
              onChange={(effects) => set({ effects })}
              telling={telling}
              refused={refused}
            />
          </Panel>
          <Panel title={say('rule.limits')}>
            <LimitFields rule={rule} onChange={set} refused={refused} />
          </Panel>
        </div>
        <aside aria-label={say('rule.try')}>
          <Try id={id} rule={rule} telling={telling} />
          <Past rule={rule} />
          <Refused error={remove.refused} />
          {id && <DeleteButton ask={say('rule.delete.ask', { name: first.name })} wish={remove} />}
        </aside>
      </div>
      <SaveBar
        isDirty={isDirty}
        wish={wish}
        fields={['name']}
        onSave={() => void wish.send(rule)}
        {...(id
          ? {
              onReset: () => {
                setRule(bodyOf(first));
                setDirty(false);
              },
            }
          : {})}
        note={say(rule.active ? 'rule.note.on' : 'rule.note.off')}
      />
    </form>
  );
}
