import type { Campaign } from '@laurel/client';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Ranking } from '../../parts/chart';
import { Go } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Panel } from '../../parts/page';

const EVERY_MS = 3_000;
const SHOWN = 10;

/** Who got it, who could not, and why. */
export function Statistics({ id, status }: { id: string; status: Campaign['status'] }): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const everyMs = status === 'active' ? EVERY_MS : false;
  const found = useAsk(['campaigns', id, 'statistics'], () => laurel.campaigns.getStatistics(id), {
    everyMs,
  });
  const errors = useAsk(['campaigns', id, 'errors'], () =>
    laurel.campaigns.listErrors(id, { limit: SHOWN }),
  );
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
        {({ data }) =>
          data.length > 0 && (
            <Panel title={say('campaign.failed')}>
              <ul className="plain-list">
                {data.map((row) => (
                  <li key={row.client_id}>
                    <Go to={`/customers/${row.client_id}`}>{row.client_id.slice(0, 8)}</Go>
                    <small>{row.error_message}</small>
                  </li>
                ))}
              </ul>
            </Panel>
          )
        }
      </Loaded>
    </div>
  );
}
