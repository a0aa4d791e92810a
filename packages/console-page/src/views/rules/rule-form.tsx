import type { Rule } from '@laurel/client';
import { Switch, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useForget } from '../../parts/ask';
import { DeleteButton } from '../../parts/delete-button';
import { useEdit } from '../../parts/editing';
import { useGo } from '../../parts/go';
import { Panel } from '../../parts/page';
import { SaveBar } from '../../parts/save-bar';
import { useToast } from '../../parts/toast';
import { useWish } from '../../parts/wish';
import { troubleOf } from '../../refusals';
import type { RuleBody } from '../../rule/body';
import { type Telling, tellRule } from '../../rule/sentence';
import { ConditionList } from './condition-list';
import { EffectList } from './effect-list';
import { LimitFields } from './limit-fields';
import { Past } from './past';
import { TriggerFields } from './trigger-fields';
import { Try } from './try';

/** Only what a rule may be told; what the platform adds to it stays out. */
const MEMBERS = [
  'name',
  'description',
  'active',
  'priority',
  'trigger_type',
  'trigger_config',
  'conditions',
  'effects',
  'limits',
  'activity_window',
  'expiry_override',
] as const;

const bodyOf = (rule: RuleBody): RuleBody =>
  Object.fromEntries(
    MEMBERS.filter((name) => rule[name] !== undefined).map((name) => [name, rule[name]]),
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
  const forget = useForget();
  const toast = useToast();
  const edit = useEdit();
  const [rule, setRule] = useState(() => bodyOf(first));
  const [isDirty, setDirty] = useState(id === undefined);
  const set = (change: Partial<RuleBody>) => {
    setDirty(true);
    setRule({ ...rule, ...change });
  };
  const wish = useWish(
    (body: RuleBody, options): Promise<Rule> =>
      id && edit
        ? edit.change((seen) => laurel.automations.set(id, body, { ...options, ...seen }))
        : laurel.automations.create(body, options),
    (saved) => {
      setDirty(false);
      forget('rules', 'overview');
      toast({ text: say(saved.active ? 'rules.isOn' : 'rules.isSavedOff', { name: saved.name }) });
      if (!id) setTimeout(() => go(`/rules/${saved.id}`));
    },
  );
  const remove = useWish(
    (_: null, options) =>
      edit!.change((seen) => laurel.automations.delete(id!, { ...options, ...seen })),
    () => {
      forget('rules');
      go('/rules');
    },
  );
  const refused = wish.refused ?? remove.refused;
  const turn = (active: boolean) => {
    set({ active });
    // A switch is a wish of its own: nobody looks for a second button.
    if (id) void wish.send({ ...rule, active });
  };
  return (
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      <div className="panel sentence" aria-live="polite">
        <p>{tellRule(telling, rule)}</p>
        <Switch
          label={say(rule.active ? 'rule.on' : 'rule.off')}
          checked={rule.active ?? false}
          disabled={wish.isBusy}
          onChange={(event) => turn(event.currentTarget.checked)}
        />
      </div>
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
          <Try id={id} rule={rule} isDirty={isDirty} />
          <Past rule={rule} />
          {id && <DeleteButton ask={say('rule.delete.ask', { name: first.name })} wish={remove} />}
        </aside>
      </div>
      <SaveBar
        isDirty={isDirty}
        isBusy={wish.isBusy}
        refused={refused}
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
