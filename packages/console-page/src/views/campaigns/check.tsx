import type { Campaign, CampaignAction, CampaignEstimate } from '@laurel/client';
import type { ReactNode } from 'react';
import { loadNames } from '../../api/names';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import type { Seen } from '../../parts/editing';
import { Loaded } from '../../parts/loaded';
import { Panel } from '../../parts/page';
import { useActions } from './actions';
import { paidIn, tellAction } from './tell-action';

type Estimated = CampaignEstimate['by_action'][number];

/** Whom it would reach as it stands; asked once it says for whom it is, and what is done. */
export function useEstimate(campaign: Seen<Campaign>) {
  const { laurel } = useConsole();
  const { id } = campaign;
  const actions = useActions(campaign);
  const isFor = campaign.segment_id !== null || campaign.manual_client_ids.length > 0;
  const isReady = isFor && (actions.data?.length ?? 0) > 0;
  const estimate = useAsk(
    ['campaigns', id, 'estimate', campaign.etag],
    () => laurel.campaigns.estimate(id),
    { isWanted: isReady },
  );
  return { isReady, estimate };
}

/** Before it goes out: who gets what, who does not and why, and what it takes. */
export function Check({ campaign }: { campaign: Seen<Campaign> }): ReactNode {
  const { format, language } = useConsole();
  const { say } = language;
  const actions = useActions(campaign);
  const { isReady, estimate } = useEstimate(campaign);
  return (
    <Panel title={`3. ${say('campaign.check')}`}>
      {!isReady && <p className="hint">{say('campaign.notReady')}</p>}
      {isReady && (
        <Loaded query={estimate} lines={3}>
          {({ total, reachable, consenting, by_action }) => (
            <>
              <p>
                {say('campaign.check.reach', {
                  who: say('tiers.count', { count: total }),
                  reachable: format.number(reachable),
                  consenting: format.number(consenting),
                })}
              </p>
              <ol className="plain-list">
                {by_action.map((one) => (
                  <ActionCheck
                    key={one.action_id}
                    estimated={one}
                    action={actions.data?.find((action) => action.id === one.action_id)}
                  />
                ))}
              </ol>
            </>
          )}
        </Loaded>
      )}
    </Panel>
  );
}

function ActionCheck({
  estimated: { customers, points, coupons_needed: needed, coupons_left: left, shortfalls },
  action,
}: {
  estimated: Estimated;
  action: CampaignAction | undefined;
}): ReactNode {
  const { format, language } = useConsole();
  const { say } = language;
  const names = useAsk(['names'], loadNames);
  return (
    <li>
      <div className="grow stack-small">
        {action && names.data && <span>{tellAction(say, action, names.data)}</span>}
        {shortfalls.map(({ reason, customers: count, reward_id }) => (
          <small key={`${reason} ${reward_id}`}>
            {say('campaign.check.not', {
              who: say('tiers.count', { count }),
              why: say(`shortfall.${reason}`),
            })}
          </small>
        ))}
        {points !== null && points > 0 && (
          <small>
            {say('campaign.check.points', {
              points: format.units(points, action && names.data && paidIn(action, names.data)),
            })}
          </small>
        )}
        {left !== null && (
          <small>
            {say('campaign.check.codes', {
              needed: format.number(needed),
              left: format.number(left),
            })}
          </small>
        )}
      </div>
      <Badge kind={customers === 0 ? 'bad' : 'plain'}>
        {say('tiers.count', { count: customers })}
      </Badge>
    </li>
  );
}
