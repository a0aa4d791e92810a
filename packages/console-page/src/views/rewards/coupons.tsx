import { COUPON_STATUSES } from '@laurel/contract';
import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { useSearch } from '../../parts/go';
import { StatusFilter } from '../../parts/list-filter';
import { Empty } from '../../parts/page';
import { PagedTable } from '../../parts/paged-table';
import { useOffset } from '../../parts/paging';
import { Sheet } from '../../parts/sheet';
import { useToast } from '../../parts/toast';
import { useWish } from '../../parts/wish';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';

const ROWS = 50;

/** The codes of a reward: where each of them stands, and the way to bring one's own. */
export function Coupons({ rewardId }: { rewardId: string }): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const [search] = useSearch();
  const paging = useOffset(ROWS);
  const [isOpen, setOpen] = useState(false);
  const status = COUPON_STATUSES.find((one) => one === search.status);
  const query = { ...paging.query, ...(status ? { status } : {}) };
  const coupons = useAsk(['coupons', rewardId, query], () =>
    laurel.coupons.listForReward(rewardId, query),
  );
  return (
    <>
      <div className="filters">
        <StatusFilter
          statuses={COUPON_STATUSES}
          status={status}
          nameOf={(one) => say(`coupon.${one}`)}
          paging={paging}
        />
        <Button variant="default" onClick={() => setOpen(true)}>
          {say('coupons.import')}
        </Button>
      </div>
      <PagedTable
        query={coupons}
        paging={paging}
        empty={<Empty title={say('coupons.title')}>{say('coupons.empty')}</Empty>}
        label={say('coupons.title')}
        keyOf={({ id }) => id}
        columns={[
          { title: say('coupon.code'), cell: ({ code }) => <code>{code}</code> },
          {
            title: say('state'),
            cell: (row) => <Badge>{say(`coupon.${row.status}`)}</Badge>,
          },
          { title: say('when'), cell: (row) => format.moment(row.date_created), isBelow: true },
        ]}
      />
      {isOpen && <ImportCodes rewardId={rewardId} onClose={() => setOpen(false)} />}
    </>
  );
}

function ImportCodes({ rewardId, onClose }: { rewardId: string; onClose: () => void }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const toast = useToast();
  const [text, setText] = useState('');
  const wish = useWish(
    (codes: string[], options) => laurel.coupons.importForReward(rewardId, { codes }, options),
    (result) => {
      forget('coupons', 'rewards');
      toast({ text: say('coupons.imported', { ...result }) });
      onClose();
    },
  );
  const codes = text
    .split(/\s*\n\s*/)
    .map((code) => code.trim())
    .filter(Boolean);
  const wrong = codes.filter((_, at) => troubleOf(wish.refused, `codes.${at}`));
  return (
    <Sheet title={say('coupons.import')} onClose={onClose}>
      <WishForm
        wish={wish}
        fields={codes.map((_, at) => `codes.${at}`)}
        onSend={() => void wish.send(codes)}
        button={`${say('coupons.import')} (${codes.length})`}
        missing={codes.length === 0 ? [say('coupons.title')] : []}
      >
        <Textarea
          label={say('coupons.import.label')}
          rows={10}
          value={text}
          error={wrong.length > 0 && say('coupons.import.wrong', { codes: wrong.join(', ') })}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </WishForm>
    </Sheet>
  );
}
