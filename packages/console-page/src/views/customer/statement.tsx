import type { LedgerEntry } from '@laurel/client';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { lastDayOf } from '../../format/days';
import { useAsk, useForget } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { useSearch } from '../../parts/go';
import { ListFilter } from '../../parts/list-filter';
import { Loaded, Trouble } from '../../parts/loaded';
import { NamedButton } from '../../parts/named-button';
import { Empty } from '../../parts/page';
import { PagedTable } from '../../parts/paged-table';
import { useOffset } from '../../parts/paging';
import { Sheet } from '../../parts/sheet';
import { useWish } from '../../parts/wish';
import { troubleOf } from '../../refusals';
import { FileButton } from '../customers/file-button';
import { sayEvent } from '../overview/latest';
import { MOVED } from './moved';

const ROWS = 25;

/** Each movement of a balance, newest first; any of them says why it happened. */
export function Statement({ id }: { id: string }): ReactNode {
  const { format, language } = useConsole();
  const { say } = language;
  const [search] = useSearch();
  const paging = useOffset(ROWS);
  const [open, setOpen] = useState<LedgerEntry | null>(null);
  const wallets = useAsk(['wallets', id], (laurel) => laurel.points.listWalletsForClient(id));
  const code = search.currency || undefined;
  const query = { ...paging.query, ...(code ? { wallet_type_code: code } : {}) };
  const entries = useAsk(['entries', id, query], (laurel) =>
    laurel.points.listEntriesForClient(id, query),
  );
  const unitOf = ({ client_wallet_id }: LedgerEntry) =>
    wallets.data?.find(({ wallet }) => wallet.id === client_wallet_id)?.wallet_type;
  return (
    <>
      <div className="filters filters-apart">
        {((wallets.data?.length ?? 0) > 1 || code) && (
          <ListFilter
            name="currency"
            label={say('overview.currency')}
            value={code}
            options={wallets.data?.map(({ wallet_type }) => ({
              value: wallet_type.code,
              label: wallet_type.name,
            }))}
            paging={paging}
          />
        )}
        {(entries.data?.data.length ?? 0) > 0 && (
          <FileButton kind="statement" params={{ client_id: id }} />
        )}
      </div>
      <PagedTable
        query={entries}
        paging={paging}
        empty={<Empty title={say('statement.empty')} />}
        label={say('customer.statement')}
        keyOf={(entry) => entry.id}
        columns={[
          { title: say('when'), cell: (entry) => format.moment(entry.created_at), isBelow: true },
          {
            title: say('statement.what'),
            cell: (entry) => (
              <>
                {say(`entry.${entry.type}`)}{' '}
                {entry.status !== 'active' && <Badge>{say(`entry.${entry.status}`)}</Badge>}
                {entry.description && <small> {entry.description}</small>}
              </>
            ),
          },
          {
            title: say('statement.amount'),
            cell: (entry) => format.change(entry.amount, unitOf(entry)),
            isNumber: true,
          },
          {
            title: say('statement.after'),
            cell: (entry) => format.number(entry.balance_after),
            isNumber: true,
            isExtra: true,
          },
          {
            title: say('actions'),
            isActions: true,
            cell: (entry) => (
              <NamedButton name={format.moment(entry.created_at)} onClick={() => setOpen(entry)}>
                {say('statement.why')}
              </NamedButton>
            ),
          },
        ]}
      />
      {open && <Why entry={open} unit={unitOf(open)} onClose={() => setOpen(null)} />}
    </>
  );
}

/** Why an entry was made, and the way to take it back. */
function Why({
  entry,
  unit,
  onClose,
}: {
  entry: LedgerEntry;
  unit: Parameters<ReturnType<typeof useConsole>['format']['units']>[1];
  onClose: () => void;
}): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const why = useAsk(['explain', entry.id], () => laurel.points.explainEntry(entry.id));
  const [reason, setReason] = useState('');
  const wish = useWish(
    (body: { reason: string }, options) => laurel.points.cancelEntry(entry.id, body, options),
    () => {
      forget(...MOVED);
      onClose();
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void wish.send({ reason });
  };
  const lastDay = (end: string) => format.day(lastDayOf(end, format.timezone));
  const isReversible = entry.type === 'earn' && entry.status !== 'cancelled';
  return (
    <Sheet title={say('statement.why')} onClose={onClose}>
      <Loaded query={why}>
        {(found) => (
          <div className="stack">
            <Cause entry={entry} cause={found.caused_by} />
            <dl className="facts">
              <dt>{say('statement.what')}</dt>
              <dd>{say(`entry.${entry.type}`)}</dd>
              <dt>{say('statement.amount')}</dt>
              <dd>{format.change(entry.amount, unit)}</dd>
              <dt>{say('statement.after')}</dt>
              <dd>{format.number(entry.balance_after)}</dd>
              <dt>{say('when')}</dt>
              <dd>{format.moment(entry.created_at)}</dd>
              {entry.expires_at && (
                <>
                  <dt>{say('statement.expires')}</dt>
                  <dd>{lastDay(entry.expires_at)}</dd>
                </>
              )}
              {entry.external_id && (
                <>
                  <dt>{say('statement.external')}</dt>
                  <dd>{entry.external_id}</dd>
                </>
              )}
            </dl>
            {found.lots_consumed.length > 0 && (
              <>
                <h3>{say('statement.taken')}</h3>
                <ul className="plain-list">
                  {found.lots_consumed.map((lot) => (
                    <li key={lot.lot_id}>
                      <span>{format.units(lot.amount, unit)}</span>
                      <small>{lot.expires_at ? lastDay(lot.expires_at) : say('never')}</small>
                    </li>
                  ))}
                </ul>
              </>
            )}
            {isReversible && (
              <form className="stack" onSubmit={submit}>
                <h3>{say('statement.reverse')}</h3>
                <p className="hint">{say('statement.reverse.text')}</p>
                <TextInput
                  label={say('correct.reason')}
                  required
                  value={reason}
                  error={troubleOf(wish.refused, 'reason')}
                  onChange={(event) => setReason(event.currentTarget.value)}
                />
                {wish.refused !== null && <Trouble error={wish.refused} />}
                <Button type="submit" variant="default" loading={wish.isBusy}>
                  {say('statement.reverse')}
                </Button>
              </form>
            )}
          </div>
        )}
      </Loaded>
    </Sheet>
  );
}

const EVENT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Which purchase it was for and what was said of it: a rule's name, a reason; as the platform tells programs where neither is known. */
function Cause({
  entry,
  cause: { type, id, summary },
}: {
  entry: LedgerEntry;
  cause: { type: string; id: string | null; summary: string };
}): ReactNode {
  const { format, language } = useConsole();
  // What a till calls the receipt is no event.
  const isEvent = type === 'transaction' && EVENT_ID.test(id ?? '');
  const sale = useAsk(['events', 'one', id], (laurel) => laurel.events.get(id!), {
    isWanted: isEvent,
  });
  if (isEvent && sale.isPending) return null;
  const said = [
    entry.description,
    sale.data && sayEvent(language.say, sale.data),
    sale.data?.amount && format.money(sale.data.amount, sale.data.currency),
    sale.data && format.moment(sale.data.event_timestamp),
  ].filter(Boolean);
  return <p>{said.length > 0 ? said.join(' · ') : summary}</p>;
}
