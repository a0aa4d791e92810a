import type { Page, WalletType } from '@laurel/client';
import { CLIENT_STATUSES } from '@laurel/contract';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { askedOf, type CustomerFilters, listCustomers } from '../../api/customers';
import { nameOf } from '../../api/find';
import { useConsole } from '../../console';
import { Ago } from '../../parts/ago';
import { useAsk } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { Go, useSearch } from '../../parts/go';
import { Trouble } from '../../parts/loaded';
import { Page as ConsolePage, Empty } from '../../parts/page';
import { PagedTable } from '../../parts/paged-table';
import { choicesOf, withStored } from '../../parts/stored-choice';
import { useWish } from '../../parts/wish';
import { UNTIERED } from '../../segment/filters';
import { AddCustomer } from './add-customer';
import { fetchFile } from './download';
import { ImportCustomers } from './import-customers';

const PAUSE_MS = 250;

/** Everybody, or those that a filter or a segment names. */
export function Customers(): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const [search, change] = useSearch();
  const [text, setText] = useState(search.q ?? '');
  const [wanted] = useDebouncedValue(text.trim(), PAUSE_MS);
  const [before, setBefore] = useState<(string | undefined)[]>([]);
  const [open, setOpen] = useState<'add' | 'import' | null>(null);
  /** What this page has put into the address, and has not seen there yet. */
  const own = useRef<string[]>([]);
  useEffect(() => {
    if (wanted !== (search.q ?? '')) narrow({ q: wanted });
  }, [wanted]);
  // A link leads here, too: then the field says what the address says.
  useEffect(() => {
    const said = search.q ?? '';
    const at = own.current.indexOf(said);
    if (at === -1) setText(said);
    else own.current.splice(0, at + 1);
  }, [search.q]);
  useEffect(() => {
    if (!search.cursor) setBefore([]);
  }, [search.cursor]);
  const { q, status, segment, tier, card, cursor } = search;
  const filters = { search: q, status, segment, tier, card };
  const customers = useAsk(['customers', filters, cursor], (laurel) =>
    listCustomers(laurel, filters, cursor),
  );
  const types = useAsk(['wallet-types'], (laurel) => laurel.walletTypes.list());
  const isFiltered = Object.values(filters).some(Boolean);
  const exported = useWish(
    () => laurel.downloads.create({ kind: 'customers', params: askedOf(filters) }),
    fetchFile,
  );
  // The cursor is kept in the address, so that a page can be sent to somebody.
  const paging = {
    back:
      before.length > 0
        ? () => {
            change({ cursor: before.at(-1) });
            setBefore(before.slice(0, -1));
          }
        : undefined,
    nextOf: ({ meta }: Page<unknown>) => {
      const next = meta?.next_cursor;
      if (!next) return undefined;
      return () => {
        setBefore([...before, cursor]);
        change({ cursor: next });
      };
    },
  };
  const narrow = (by: Record<string, string | undefined>) => {
    if (by.q !== undefined) own.current.push(by.q);
    setBefore([]);
    change({ ...by, cursor: undefined });
  };
  return (
    <ConsolePage
      title={say('customers.title')}
      actions={
        <>
          <Button variant="default" onClick={() => setOpen('import')}>
            {say('customers.import')}
          </Button>
          <Button
            variant="default"
            loading={exported.isBusy}
            onClick={() => void exported.send(undefined)}
          >
            {say('customers.export')}
          </Button>
          <Button data-key="c" onClick={() => setOpen('add')}>
            {say('customers.add')}
          </Button>
        </>
      }
    >
      {exported.refused !== null && <Trouble error={exported.refused} />}
      <search className="filters">
        <TextInput
          className="grow"
          data-key="/"
          type="search"
          label={say('customers.search')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Narrowing filters={filters} narrow={narrow} />
      </search>
      <PagedTable
        query={customers}
        paging={paging}
        lines={10}
        empty={
          <Empty
            title={say(isFiltered ? 'customers.noMatch' : 'customers.empty')}
            action={
              isFiltered ? (
                <Button
                  variant="default"
                  onClick={() => {
                    setText('');
                    narrow({ q: '', status: '', segment: '', tier: '', card: '' });
                  }}
                >
                  {say('customers.showAll')}
                </Button>
              ) : (
                <Go to="/forms">{say('customers.empty.form')}</Go>
              )
            }
          >
            {isFiltered ? undefined : say('customers.empty.text')}
          </Empty>
        }
        label={say('customers.title')}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/customers/${id}`}
        columns={[
          {
            title: say('name'),
            cell: (row) => (
              <>
                {nameOf(row)} <NotActive status={row.status} />
              </>
            ),
          },
          {
            title: say('customer.email'),
            cell: ({ email }) => (
              <span className="address" title={email ?? undefined}>
                {email}
              </span>
            ),
            isBelow: true,
          },
          { title: say('customer.tier'), cell: ({ tier }) => tier?.name ?? '', isExtra: true },
          {
            title: say('customer.balance'),
            cell: ({ wallets }) => <Balances wallets={wallets} types={types.data} />,
            isNumber: true,
          },
          {
            title: say('customer.lastVisit'),
            cell: ({ last_event: last }) => <Ago at={last?.event_timestamp} />,
            isExtra: true,
          },
          {
            title: say('customer.since'),
            cell: (row) => format.day(row.registration_date),
            isNumber: true,
            isExtra: true,
          },
        ]}
      />
      {open === 'add' && <AddCustomer onClose={() => setOpen(null)} />}
      {(open === 'import' || search.import) && (
        <ImportCustomers
          opened={search.import}
          onClose={() => {
            setOpen(null);
            if (search.import) change({ import: undefined });
          }}
        />
      )}
    </ConsolePage>
  );
}

/** The state of the few who are not as everybody is. */
function NotActive({ status }: { status: Listed['status'] }): ReactNode {
  const { say } = useConsole().language;
  if (status === 'active') return null;
  return <Badge>{say(`customer.status.${status}`)}</Badge>;
}

/** What the list is narrowed by besides a text. */
function Narrowing({
  filters,
  narrow,
}: {
  filters: CustomerFilters;
  narrow: (by: Record<string, string>) => void;
}): ReactNode {
  const { say } = useConsole().language;
  const segments = useAsk(['segments'], (laurel) => laurel.segments.list());
  const tiers = useAsk(['tiers'], (laurel) => laurel.tiers.list());
  const select = (
    name: 'status' | 'tier' | 'card' | 'segment',
    label: string,
    options: Parameters<typeof withStored>[1],
  ) => (
    <NativeSelect
      label={label}
      value={filters[name] ?? ''}
      onChange={(event) => narrow({ [name]: event.currentTarget.value })}
      data={[{ value: '', label: say('all') }, ...withStored(say, options, filters[name])]}
    />
  );
  return (
    <>
      {select(
        'status',
        say('state'),
        CLIENT_STATUSES.map((value) => ({ value, label: say(`customer.status.${value}`) })),
      )}
      {((tiers.data ?? []).length > 0 || filters.tier) &&
        select(
          'tier',
          say('customer.tier'),
          tiers.data && [
            ...choicesOf(tiers.data),
            { value: UNTIERED, label: say('customers.untiered') },
          ],
        )}
      {select('card', say('customers.card'), [
        { value: 'yes', label: say('yes') },
        { value: 'no', label: say('no') },
      ])}
      {select('segment', say('customers.segment'), segments.data && choicesOf(segments.data))}
      <Go to="/segments/new" className="filter-link">
        {say('customers.newSegment')}
      </Go>
    </>
  );
}

type Listed = Awaited<ReturnType<typeof listCustomers>>['data'][number];
type Wallets = Listed['wallets'];

/** What somebody owns; of several currencies those that they have something of. */
function Balances({
  wallets,
  types,
}: {
  wallets: Wallets;
  types: readonly WalletType[] | undefined;
}): ReactNode {
  const { format } = useConsole();
  const [main] = wallets ?? [];
  const owned = (wallets ?? []).filter(({ active_balance }) => active_balance > 0);
  const shown = owned.length > 0 || !main ? owned : [main];
  return shown.map((wallet) => (
    <div key={wallet.wallet_type_id}>
      {format.units(
        wallet.active_balance,
        types?.find(({ id }) => id === wallet.wallet_type_id),
      )}
    </div>
  ));
}
