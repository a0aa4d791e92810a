import { EXECUTION_STATUSES } from '@laurel/contract';
import type { ReactNode } from 'react';
import { nameOf } from '../../api/find';
import { useConsole } from '../../console';
import { notedInWords } from '../../noted';
import { useAsk } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { Go, useSearch } from '../../parts/go';
import { StatusFilter } from '../../parts/list-filter';
import { Empty } from '../../parts/page';
import { PagedTable } from '../../parts/paged-table';
import { useOffset } from '../../parts/paging';

const ROWS = 25;

/** What rules did, newest first, and why they did not. */
export function Runs({ ruleId }: { ruleId?: string }): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const [search] = useSearch();
  const paging = useOffset(ROWS);
  const status = EXECUTION_STATUSES.find((one) => one === search.status);
  const query = {
    ...paging.query,
    expand: ['client' as const],
    ...(status ? { status } : {}),
    ...(ruleId ? { automation_rule_id: ruleId } : {}),
  };
  const runs = useAsk(['runs', query], () => laurel.automations.listExecutions(query));
  const rules = useAsk(['rules'], () => laurel.automations.list());
  return (
    <>
      <div className="filters">
        <StatusFilter
          statuses={EXECUTION_STATUSES}
          status={status}
          nameOf={(one) => say(`run.${one}`)}
          paging={paging}
        />
      </div>
      <PagedTable
        query={runs}
        paging={paging}
        empty={<Empty title={say('rules.noRuns')} />}
        label={say('rules.runs')}
        keyOf={({ id }) => id}
        columns={[
          { title: say('when'), cell: (row) => format.moment(row.executed_at), isBelow: true },
          {
            title: say('run.rule'),
            isBelow: true,
            cell: (row) =>
              rules.data?.find(({ id }) => id === row.automation_rule_id)?.name ??
              row.automation_rule_id.slice(0, 8),
          },
          {
            title: say('run.customer'),
            cell: (row) => (
              <Go to={`/customers/${row.client_id}`}>
                {row.client ? nameOf(row.client) : row.client_id.slice(0, 8)}
              </Go>
            ),
          },
          {
            title: say('state'),
            cell: (row) => (
              <>
                <Badge kind={row.status === 'failed' ? 'bad' : 'plain'}>
                  {say(`run.${row.status}`)}
                </Badge>{' '}
                {row.error_message && <small>{notedInWords(language, row.error_message)}</small>}
              </>
            ),
          },
          {
            title: say('run.points'),
            cell: (row) => format.number(row.points_awarded),
            isNumber: true,
          },
        ]}
      />
    </>
  );
}
