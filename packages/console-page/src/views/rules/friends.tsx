import type { ReferralProgram } from '@laurel/client';
import { NativeSelect, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { useChange } from '../../parts/change';
import { DecimalField } from '../../parts/decimal-field';
import { useDraft } from '../../parts/draft';
import { Editing, readSeenOr, type Seen } from '../../parts/editing';
import { Go } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Notice } from '../../parts/notice';
import { Panel } from '../../parts/page';
import { SaveBar } from '../../parts/save-bar';
import { withStored } from '../../parts/stored-choice';
import { troubleOf } from '../../refusals';

type Program = Pick<
  ReferralProgram,
  | 'enabled'
  | 'completion_criteria'
  | 'distribution_id'
  | 'pending_expiry_days'
  | 'max_referrals_per_referrer'
>;

/** Before anything was said of it. */
const NONE: Program = {
  enabled: false,
  completion_criteria: 'first_transaction',
  distribution_id: null,
  pending_expiry_days: null,
  max_referrals_per_referrer: null,
};
const CRITERIA = ['first_transaction', 'pass_install'] as const;
const FIELDS = ['distribution_id', 'pending_expiry_days', 'max_referrals_per_referrer'] as const;

/** The programme by which customers bring friends; where there is none yet, as it would be. */
export const useFriends = () =>
  useAsk(['referrals', 'program'], (laurel) =>
    readSeenOr<Program>(laurel.referrals.getProgram(), NONE),
  );

/** Customers who bring friends: whether they may, when a friend counts, and by which form friends join. */
export function Friends(): ReactNode {
  const program = useFriends();
  return (
    <Loaded query={program}>
      {() => <Editing query={program}>{(row) => <FriendsForm program={row} />}</Editing>}
    </Loaded>
  );
}

function FriendsForm({ program }: { program: Seen<Program> }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const { draft, isDirty, set, drop, settle } = useDraft<Program>();
  const forms = useAsk(['forms'], () => laurel.distributions.list());
  const open = (forms.data ?? []).filter(({ status }) => status === 'active');
  const isNew = program.etag === undefined;
  // Without a form there is a code and no link to send: where nothing was said yet, the first is the obvious one.
  const proposed = isNew ? (open[0]?.id ?? null) : null;
  // None, once chosen, is none.
  const whole = { ...program, distribution_id: program.distribution_id ?? proposed, ...draft };
  // One that is closed by now is still where the links lead that are out.
  const kept = forms.data?.find(({ id }) => id === whole.distribution_id);
  const offered = [...open, ...(kept && !open.includes(kept) ? [kept] : [])].map((form) => ({
    value: form.id,
    label: form.status === 'active' ? form.name : `${form.name} (${say(`form.${form.status}`)})`,
  }));
  const wish = useChange((body: Program, options) => laurel.referrals.setProgram(body, options), {
    forgets: ['referrals'],
    says: () => say('friends.saved'),
    settles: settle,
  });
  const save = () => {
    const { enabled, completion_criteria, distribution_id } = whole;
    const { pending_expiry_days, max_referrals_per_referrer } = whole;
    const bounds = { pending_expiry_days, max_referrals_per_referrer };
    void wish.send({ enabled, completion_criteria, distribution_id, ...bounds });
  };
  return (
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      <Panel>
        <p className="hint">{say('friends.text')}</p>
        <Switch
          label={say('friends.on')}
          checked={whole.enabled}
          onChange={(event) => set({ enabled: event.currentTarget.checked })}
        />
        <NativeSelect
          label={say('friends.counts')}
          value={whole.completion_criteria}
          onChange={({ currentTarget }) =>
            set({ completion_criteria: currentTarget.value as (typeof CRITERIA)[number] })
          }
          data={CRITERIA.map((value) => ({ value, label: say(`friends.${value}`) }))}
        />
        <NativeSelect
          label={say('friends.form')}
          description={say('friends.form.hint')}
          value={whole.distribution_id ?? ''}
          error={troubleOf(wish.refused, 'distribution_id')}
          onChange={({ currentTarget }) => set({ distribution_id: currentTarget.value || null })}
          data={[
            ...(program.distribution_id ? [] : [{ value: '', label: '–' }]),
            ...withStored(say, forms.data && offered, whole.distribution_id),
          ]}
        />
        <DecimalField
          label={say('friends.days')}
          placeholder="∞"
          value={whole.pending_expiry_days}
          error={troubleOf(wish.refused, 'pending_expiry_days')}
          onChange={(pending_expiry_days) => set({ pending_expiry_days })}
        />
        <DecimalField
          label={say('friends.most')}
          placeholder="∞"
          value={whole.max_referrals_per_referrer}
          error={troubleOf(wish.refused, 'max_referrals_per_referrer')}
          onChange={(max_referrals_per_referrer) => set({ max_referrals_per_referrer })}
        />
        <p>
          <Go to="/rules/new" search={{ example: 'referral' }}>
            {say('friends.reward')}
          </Go>
        </p>
      </Panel>
      <SaveBar isDirty={isDirty} wish={wish} fields={FIELDS} onSave={save} onReset={drop} />
    </form>
  );
}

/** Says below a rule about friends that customers may bring none yet; without it the rule waits for what cannot happen. */
export function FriendsAreOff(): ReactNode {
  const { say } = useConsole().language;
  const program = useFriends();
  if (program.data?.enabled !== false) return null;
  return (
    <Notice kind="warn">
      {say('friends.off')}{' '}
      <Go to="/rules" search={{ tab: 'friends' }}>
        {say('friends.turnOn')}
      </Go>
    </Notice>
  );
}
