import type { Call, Segment } from '@laurel/client';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { nameOf } from '../../api/find';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { useChange } from '../../parts/change';
import { DeleteButton } from '../../parts/delete-button';
import { Editing, readSeen } from '../../parts/editing';
import { Go, useGo, usePathPart } from '../../parts/go';
import { Loaded, Trouble } from '../../parts/loaded';
import { Managed } from '../../parts/managed';
import { useHoldsNoNumber } from '../../parts/no-number';
import { Page, Panel } from '../../parts/page';
import { Refused } from '../../parts/refused';
import { SaveBar } from '../../parts/save-bar';
import { useWish } from '../../parts/wish';
import { troubleOf } from '../../refusals';
import type { Names } from '../../rule/body';
import { useRulesOff } from '../../rule/use-rules-off';
import { useTelling } from '../../rule/use-telling';
import {
  type Filter,
  isWhole,
  newFilter,
  QUESTIONS,
  type Question,
  tellFilter,
} from '../../segment/filters';
import { fetchFile } from '../customers/download';
import { Row } from '../rules/row';
import { FilterFields } from './filter-fields';

/** One segment: its questions, how many answer them, and who. */
export function SegmentPage(): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const id = usePathPart(1);
  const isNew = id === 'new';
  const { query } = useTelling();
  const segment = useAsk(['segments', id], () => readSeen(laurel.segments.get(id)), {
    isWanted: !isNew,
  });
  const back = { to: '/segments', label: say('segments.title') };
  if (isNew)
    return (
      <Page title={say('segments.new')} back={back}>
        <Loaded query={query}>
          {(names) => (
            <SegmentForm
              key="new"
              names={names}
              first={{ name: '', filters: [newFilter('lastVisit', names, format.timezone)] }}
            />
          )}
        </Loaded>
      </Page>
    );
  return (
    <Loaded query={segment} lines={8}>
      {(found) => (
        <Page title={found.name} back={back}>
          <Managed kind="segments" name={found.key} />
          <Loaded query={query}>
            {(names) => (
              <Editing key={found.id} query={segment}>
                {(row) => <SegmentForm id={id} names={names} first={row} />}
              </Editing>
            )}
          </Loaded>
        </Page>
      )}
    </Loaded>
  );
}

interface SegmentFormProps {
  id?: string;
  names: Names;
  first: Pick<Segment, 'name'> & { filters: readonly Filter[] };
}

function SegmentForm({ id, names, first }: SegmentFormProps): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const go = useGo();
  const leave = useGo({ ignoreBlocker: true });
  const [name, setName] = useState(first.name);
  const [filters, setFilters] = useState<readonly Filter[]>(first.filters);
  const [isDirty, setDirty] = useState(id === undefined);
  const change = (next: readonly Filter[]) => {
    setDirty(true);
    setFilters(next);
  };
  const proposed = filters.map((one) => tellFilter(one, { say, format, names })).join(', ');
  const body = { name: name.trim() || proposed.slice(0, 100), filters: [...filters] };
  const wish = useChange(
    (sent: typeof body, options): Call<Segment> =>
      id ? laurel.segments.update(id, sent, options) : laurel.segments.create(sent, options),
    {
      forgets: ['segments', 'names', 'customers'],
      says: () => say('segments.saved'),
      onDone(saved, sent) {
        // What was typed meanwhile is not saved yet.
        setDirty(JSON.stringify(body) !== JSON.stringify(sent));
        if (!id) setTimeout(() => go(`/segments/${saved.id}`));
      },
    },
  );
  const remove = useChange((_: null, options) => laurel.segments.delete(id!, options), {
    forgets: ['segments', 'names'],
    onDone: () => leave('/segments'),
  });
  const { refused } = wish;
  const rulesOff = useRulesOff(id);
  return (
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      <div className="with-aside">
        <div className="stack">
          <Panel>
            <TextInput
              label={say('name')}
              placeholder={proposed}
              value={name}
              error={troubleOf(refused, 'name')}
              onChange={(event) => {
                setDirty(true);
                setName(event.currentTarget.value);
              }}
            />
          </Panel>
          <Panel title={say('segments.who')}>
            {filters.length === 0 && <p className="hint">{say('segments.everybody')}</p>}
            {filters.map((filter, at) => (
              <Row
                // biome-ignore lint/suspicious/noArrayIndexKey: filters that are not saved have no id
                key={at}
                title={tellFilter(filter, { say, format, names })}
                error={troubleOf(refused, `filters.${at}`)}
                onRemove={() => change(filters.filter((_, index) => index !== at))}
              >
                <FilterFields
                  filter={filter}
                  names={names}
                  onChange={(next) =>
                    change(filters.map((one, index) => (index === at ? next : one)))
                  }
                />
              </Row>
            ))}
            <NativeSelect
              label={say('segments.add')}
              value=""
              onChange={(event) => {
                const question = event.currentTarget.value as Question;
                if (question) change([...filters, newFilter(question, names, format.timezone)]);
              }}
              data={[
                { value: '', label: say('choose') },
                ...QUESTIONS.map((value) => ({
                  value,
                  label: say(`question.${value}`),
                  disabled:
                    (value === 'tier' && names.tiers.length === 0) ||
                    (value === 'segment' && names.segments.length === 0) ||
                    (value === 'custom' && names.fields.length === 0),
                })),
              ]}
            />
          </Panel>
        </div>
        <aside aria-label={say('segments.people')}>
          <People
            filters={filters}
            names={names}
            saved={id ? { id, name: first.name } : undefined}
          />
          <Refused error={remove.refused} />
          {id && (
            <DeleteButton
              ask={say('segments.delete.ask', { name: first.name })}
              also={rulesOff}
              wish={remove}
            />
          )}
        </aside>
      </div>
      <SaveBar
        isDirty={isDirty}
        wish={wish}
        fields={['name', ...filters.map((_, at) => `filters.${at}`)]}
        onSave={() => void wish.send(body)}
      />
    </form>
  );
}

const SHOWN = 10;
const PAUSE_MS = 400;

/** Who answers the questions as they stand now, saved or not. */
function People({
  filters,
  names,
  saved,
}: {
  filters: readonly Filter[];
  names: Names;
  saved?: Pick<Segment, 'id' | 'name'> | undefined;
}): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const [wanted] = useDebouncedValue(filters, PAUSE_MS);
  const holdsNoNumber = useHoldsNoNumber();
  const isUnclear = holdsNoNumber || !filters.every((one) => isWhole(one, names));
  const people = useAsk(
    ['segments', 'preview', wanted],
    () => laurel.segments.preview({ filters: [...wanted], limit: SHOWN }),
    { isWanted: wanted.every((one) => isWhole(one, names)) },
  );
  return (
    <Panel title={say('segments.people')}>
      {isUnclear ? (
        <p role="status">{say('segments.unclear')}</p>
      ) : (
        <Loaded query={people}>
          {({ total, reachable, consenting, sample }) => (
            <div className="stack-small" aria-busy={people.isPlaceholderData || wanted !== filters}>
              <b className="big" role="status">
                {say('tiers.count', { count: total })}
              </b>
              <p className="hint">{say('segments.reach', { reachable, consenting })}</p>
              <ul className="plain-list">
                {sample.map((client) => (
                  <li key={client.id}>
                    <Go to={`/customers/${client.id}`}>{nameOf(client)}</Go>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </Loaded>
      )}
      {saved && <WholeSegment {...saved} />}
    </Panel>
  );
}

/** All of a segment as it was saved: looked at, or taken along. */
function WholeSegment({ id }: Pick<Segment, 'id'>): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const take = useWish(
    () => laurel.downloads.create({ kind: 'customers', params: { segment_id: id } }),
    fetchFile,
  );
  return (
    <div className="row">
      {take.refused !== null && <Trouble error={take.refused} />}
      <Go to="/customers" search={{ segment: id }}>
        {say('segments.all')}
      </Go>
      <Button
        variant="default"
        size="xs"
        loading={take.isBusy}
        onClick={() => void take.send(undefined)}
      >
        {say('customers.export')}
      </Button>
    </div>
  );
}
