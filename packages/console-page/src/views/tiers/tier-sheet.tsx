import type { Call, Tier, TierSet, TiersPreviewResult } from '@laurel/client';
import { Button, Switch, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { useChange } from '../../parts/change';
import { DecimalField } from '../../parts/decimal-field';
import { Editing, readSeen, useHold } from '../../parts/editing';
import { Loaded } from '../../parts/loaded';
import { Managed } from '../../parts/managed';
import { isSameName } from '../../parts/new-name';
import { holdsNoNumber } from '../../parts/no-number';
import { Refused } from '../../parts/refused';
import { Sheet } from '../../parts/sheet';
import { StillMissing } from '../../parts/still-missing';
import { useWish } from '../../parts/wish';
import { troubleOf } from '../../refusals';
import { useRulesOff } from '../../rule/use-rules-off';
import { benefitsOf } from './benefits';
import { nameCondition } from './conditions';
import { Moves } from './moves';

type Draft = Pick<Tier, 'name' | 'description' | 'kind' | 'condition_values' | 'benefits'>;

interface TierSheetProps {
  set: TierSet;
  tier: Tier | null;
  onClose: () => void;
}

/** A rung of the ladder, and who would move before it is saved. */
export function TierSheet({ set, tier, onClose }: TierSheetProps): ReactNode {
  const { laurel, language } = useConsole();
  const known = useAsk(['tiers', tier?.id], () => readSeen(laurel.tiers.get(tier!.id)), {
    isWanted: tier !== null,
  });
  return (
    <Sheet title={tier ? tier.name : language.say('tiers.new')} onClose={onClose}>
      <Managed kind="tiers" name={tier?.key} />
      {tier ? (
        <Loaded query={known}>
          {() => (
            <Editing query={known}>
              {(row) => <TierFields set={set} tier={row} onClose={onClose} />}
            </Editing>
          )}
        </Loaded>
      ) : (
        <TierFields set={set} tier={null} onClose={onClose} />
      )}
    </Sheet>
  );
}

function TierFields({ set, tier, onClose }: TierSheetProps): ReactNode {
  const { laurel, language, settings } = useConsole();
  const { say } = language;
  const [draft, setDraft] = useState<Draft>(
    tier ?? { name: '', description: null, kind: 'auto', condition_values: {}, benefits: [] },
  );
  const [isTyped, setTyped] = useState(false);
  useHold(isTyped);
  const [moved, setMoved] = useState<TiersPreviewResult | null>(null);
  const change = (by: Partial<Draft>) => {
    setTyped(true);
    setMoved(null);
    setDraft({ ...draft, ...by });
  };
  const body = {
    name: draft.name,
    description: draft.description,
    kind: draft.kind,
    condition_values: draft.condition_values,
    benefits: draft.benefits,
  };
  const isTaken = set.tiers.some(({ id, name }) => id !== tier?.id && isSameName(name, draft.name));
  const isNamed = draft.name.trim() !== '' && !isTaken;
  const next = Math.max(0, ...set.tiers.map(({ sort_order }) => sort_order)) + 1;
  const look = useWish(() => {
    const others = set.tiers.filter(({ id }) => id !== tier?.id).map(previewed);
    const own = { ...body, sort_order: tier?.sort_order ?? next, ...(tier ? { id: tier.id } : {}) };
    return laurel.tiers.preview({ tiers: [...others, own] });
  }, setMoved);
  const after = { forgets: ['tiers', 'tier', 'names', 'customers'], onDone: onClose };
  const save = useChange(
    (wanted: typeof body, options): Call<unknown> =>
      tier
        ? laurel.tiers.update(tier.id, wanted, options)
        : laurel.tiers.create({ ...wanted, sort_order: next }, options),
    { ...after, says: () => say('tiers.saved') },
  );
  const remove = useChange((id: string, options) => laurel.tiers.delete(id, options), {
    ...after,
    says: () => say('tiers.deleted', { name: tier?.name ?? '' }),
  });
  const rulesOff = useRulesOff(tier?.id);
  const currencies = useAsk(['wallet-types'], () => laurel.walletTypes.list());
  /** Of points of several currencies a tier asks for as many of each. */
  const labelOf = (type: Counted) =>
    set.conditions
      .filter((one) => one.type === type)
      .map((one) => nameCondition(say, one, currencies.data ?? []))
      .join(' · ');
  const refused = save.refused ?? look.refused;
  const fields = useRef<HTMLDivElement>(null);
  const send = () => {
    if (holdsNoNumber(fields.current)) return;
    const benefits = body.benefits.filter(({ label }) => label.trim() !== '');
    void save.send({ ...body, benefits });
  };
  return (
    <div className="stack" ref={fields}>
      <TextInput
        label={say('name')}
        required
        value={draft.name}
        error={isTaken ? say('wrong.nameTaken') : troubleOf(refused, 'name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Switch
        label={say('tiers.isExclusive')}
        description={say('tiers.isExclusive.hint')}
        checked={draft.kind === 'exclusive'}
        onChange={(event) => change({ kind: event.currentTarget.checked ? 'exclusive' : 'auto' })}
      />
      {draft.kind === 'auto' &&
        countedTypes(set).map((type) => (
          <DecimalField
            key={type}
            label={labelOf(type)}
            unit={type === 'total_spending' ? settings.default_currency : undefined}
            value={draft.condition_values[type] ?? null}
            error={troubleOf(refused, `condition_values.${type}`)}
            onChange={(value) => {
              const { [type]: _, ...rest } = draft.condition_values;
              change({ condition_values: value === null ? rest : { ...rest, [type]: value } });
            }}
          />
        ))}
      <Textarea
        label={say('tiers.benefits')}
        description={say('tiers.benefits.hint')}
        rows={3}
        value={draft.benefits.map(({ label }) => label).join('\n')}
        onChange={(event) =>
          change({ benefits: benefitsOf(event.currentTarget.value, draft.benefits) })
        }
      />
      <Refused error={refused} onAgain={send} />
      <Refused error={remove.refused} />
      {moved && <Moves moved={moved} tiers={set.tiers} newName={draft.name} />}
      {rulesOff && <p className="hint">{rulesOff}</p>}
      <StillMissing names={isNamed ? [] : [say('name')]} />
      <div className="row">
        <Button variant="default" loading={look.isBusy} onClick={() => void look.send(undefined)}>
          {say('tiers.preview')}
        </Button>
        <Button loading={save.isBusy} disabled={!isNamed} onClick={send}>
          {say('save')}
        </Button>
        {tier && (
          <Button
            variant="default"
            loading={remove.isBusy}
            onClick={() => {
              const ask = say('tiers.delete.ask', { name: tier.name });
              if (confirm(`${ask} ${rulesOff}`.trim())) void remove.send(tier.id);
            }}
          >
            {say('delete')}
          </Button>
        )}
      </div>
    </div>
  );
}

type Counted = TierSet['conditions'][number]['type'];

const countedTypes = ({ conditions }: TierSet): Counted[] => [
  ...new Set(conditions.map(({ type }) => type)),
];

const previewed = ({ id, name, sort_order, kind, condition_values }: Tier) => ({
  id,
  name,
  sort_order,
  kind,
  condition_values,
});
