import type { Page } from '@laurel/client';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import { listCustomers } from '../../api/customers';
import { nameOf } from '../../api/find';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { Go, useSearch } from '../../parts/go';
import { Trouble } from '../../parts/loaded';
import { Page as ConsolePage, Empty } from '../../parts/page';
import { PagedTable } from '../../parts/paged-table';
import { useWish } from '../../parts/wish';
import { AddCustomer } from './add-customer';
import { fetchFile } from './download';
import { ImportCustomers } from './import-customers';

const PAUSE_MS = 250;
const STATUSES = ['active', 'inactive', 'anonymized'] as const;

/** Everybody, or those that a filter or a segment names. */
export function Customers(): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const [search, change] = useSearch();
  const [text, setText] = useState(search.q ?? '');
  const [wanted] = useDebouncedValue(text.trim(), PAUSE_MS);
  const [before, setBefore] = useState<(string | undefined)[]>([]);
  const [open, setOpen] = useState<'add' | 'import' | null>(null);
  useEffect(() => {
    if (wanted !== (search.q ?? '')) {
      setBefore([]);
      change({ q: wanted, cursor: undefined, segment: undefined });
    }
  }, [wanted]);
  const { q, status, segment, cursor } = search;
  const filters = { search: q, status, segment, cursor };
  const customers = useAsk(['customers', filters], (laurel) => listCustomers(laurel, filters));
  const segments = useAsk(['segments'], (laurel) => laurel.segments.list());
  const isFiltered = Boolean(q || status || segment);
  const exported = useWish(
    () =>
      laurel.downloads.create({
        kind: 'customers',
        params: { ...(q ? { search: q } : {}), ...(status ? { status } : {}) },
      }),
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
          {!segment && (
            <Button
              variant="default"
              loading={exported.isBusy}
              onClick={() => void exported.send(undefined)}
            >
              {say('customers.export')}
            </Button>
          )}
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
        <NativeSelect
          label={say('state')}
          value={status ?? ''}
          onChange={(event) => narrow({ status: event.currentTarget.value, segment: undefined })}
          data={[
            { value: '', label: say('all') },
            ...STATUSES.map((value) => ({ value, label: say(`customer.status.${value}`) })),
          ]}
        />
        <NativeSelect
          label={say('customers.segment')}
          value={segment ?? ''}
          onChange={(event) =>
            narrow({ segment: event.currentTarget.value, status: undefined, q: undefined })
          }
          data={[
            { value: '', label: say('all') },
            ...(segments.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <Go to="/segments/new" className="filter-link">
          {say('customers.newSegment')}
        </Go>
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
                  onClick={() => narrow({ q: undefined, status: undefined, segment: undefined })}
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
          { title: say('name'), cell: nameOf },
          { title: say('customer.email'), cell: ({ email }) => email ?? '', isBelow: true },
          { title: say('customer.phone'), cell: ({ phone }) => phone ?? '', isExtra: true },
          {
            title: say('state'),
            cell: (row) => (
              <Badge kind={row.status === 'active' ? 'good' : 'plain'}>
                {say(`customer.status.${row.status}`)}
              </Badge>
            ),
            isExtra: true,
          },
          {
            title: say('customer.consent'),
            cell: (row) => say(row.marketing_consent ? 'yes' : 'no'),
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
      {open === 'import' && <ImportCustomers onClose={() => setOpen(null)} />}
    </ConsolePage>
  );
}
