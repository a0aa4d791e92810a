import type { Campaign } from '@laurel/client';
import type { ReactNode } from 'react';
import { nameOf } from '../../api/find';
import { useConsole } from '../../console';
import { notedInWords } from '../../noted';
import { useAsk } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { Chart, Ranking } from '../../parts/chart';
import { Go } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Panel } from '../../parts/page';
import { Pager } from '../../parts/paged-table';
import { useOffset } from '../../parts/paging';
import { CampaignState } from './campaigns';

const EVERY_MS = 3_000;
const ROWS = 10;
const DAYS_AFTER = 14;
/** Of very many customers it is counted behind the answer. */
const COUNTED_EVERY_MS = 5_000;

/** What came of a campaign so far; asked again for as long as it runs. */
function useStatistics(id: string, status: Campaign['status'], isWanted = true) {
  const { laurel } = useConsole();
  return useAsk(['campaigns', id, 'statistics', status], () => laurel.campaigns.getStatistics(id), {
    isWanted,
    everyMs: status === 'active' && EVERY_MS,
  });
}

/** The state of a campaign; of one that has run also whether it failed anybody. */
export function CampaignOutcome({ id, status }: Pick<Campaign, 'id' | 'status'>): ReactNode {
  const { say } = useConsole().language;
  const hasRun = status === 'completed';
  const { data } = useStatistics(id, status, hasRun);
  if (!hasRun || !data) return <CampaignState status={status} />;
  const hasReached = data.audience_completed > 0;
  if (data.actions_failed + data.audience_failed === 0)
    return <Badge kind={hasReached ? 'good' : 'plain'}>{say('campaign.completed')}</Badge>;
  return (
    <Badge kind={hasReached ? 'warn' : 'bad'}>
      {say(hasReached ? 'campaign.flawed' : 'campaign.inVain')}
    </Badge>
  );
}

/** Who got it, who could not, and why. */
export function Statistics({ id, status }: { id: string; status: Campaign['status'] }): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const everyMs = status === 'active' ? EVERY_MS : false;
  const found = useStatistics(id, status);
  const paging = useOffset(ROWS);
  const errors = useAsk(
    ['campaigns', id, 'errors', status, paging.query],
    () => laurel.campaigns.listErrors(id, paging.query),
    { everyMs },
  );
  // One for each action that failed.
  const sayTroubles = (noted: string) =>
    noted
      .split('; ')
      .map((one) => notedInWords(language, one))
      .join(' · ');
  return (
    <div className="grid-2">
      <Loaded query={found}>
        {(one) => (
          <Ranking
            title={say('campaign.result')}
            write={format.number}
            rows={[
              { name: say('campaign.targeted'), value: one.total_targeted },
              { name: say('campaign.reached'), value: one.audience_completed },
              {
                name: say('campaign.waiting'),
                value: one.audience_pending + one.audience_processing,
              },
              { name: say('campaign.failed'), value: one.audience_failed },
              { name: say('campaign.unreachable'), value: one.audience_unreachable },
            ]}
          />
        )}
      </Loaded>
      <Loaded query={errors}>
        {(page) =>
          (page.data.length > 0 || paging.back) && (
            <Panel title={say('campaign.failed')}>
              <ul className="plain-list">
                {page.data.map((row) => (
                  <li key={row.client_id}>
                    <Go to={`/customers/${row.client_id}`}>
                      {nameOf({ ...row, id: row.client_id })}
                    </Go>
                    <small>{row.error_message && sayTroubles(row.error_message)}</small>
                  </li>
                ))}
              </ul>
              {(paging.back || paging.nextOf(page)) && <Pager page={page} paging={paging} />}
            </Panel>
          )
        }
      </Loaded>
      <After id={id} />
    </div>
  );
}

/** Whether it helped: who of those that got it came back, and what they spent. */
function After({ id }: { id: string }): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const found = useAsk(
    ['campaigns', id, 'after'],
    () => laurel.campaigns.getStatistics(id, { within_days: DAYS_AFTER }),
    { everyMs: (one) => !one?.after && COUNTED_EVERY_MS },
  );
  return (
    <Loaded query={found}>
      {({ after, started_at }) =>
        after ? (
          <Chart
            title={say('campaign.after', { days: format.number(DAYS_AFTER) })}
            summary={
              after.returned + after.redeemed === 0
                ? undefined
                : say('campaign.after.text', {
                    count: after.returned,
                    returned: say('tiers.count', { count: after.returned }),
                    redeemed: format.number(after.redeemed),
                    spent: format.money(after.spent),
                  })
            }
            labels={after.buckets.map(({ date }) => format.shortDay(date))}
            series={[
              {
                name: say('campaign.after.returned'),
                kind: 'bar',
                values: after.buckets.map(({ returned }) => returned),
              },
              {
                name: say('campaign.after.redeemed'),
                kind: 'line',
                values: after.buckets.map(({ redeemed }) => redeemed),
              },
            ]}
            write={format.number}
          />
        ) : (
          started_at !== null && <p className="hint">{say('campaign.after.counting')}</p>
        )
      }
    </Loaded>
  );
}
