import type { Call, Campaign } from '@laurel/client';
import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { momentOf } from '../../format/days';
import { useAsk } from '../../parts/ask';
import { useChange } from '../../parts/change';
import { type Seen, useEdit } from '../../parts/editing';
import { Notice } from '../../parts/notice';
import { Panel } from '../../parts/page';
import { Refused } from '../../parts/refused';
import { useActions } from './actions';
import { useEstimate } from './check';

type Move = 'launch' | 'schedule' | 'unschedule' | 'cancel';
/** Phones should be still then. */
const QUIET = { from: 21, to: 8 };

/** Now or at a time of the workspace; how many it reaches stands on the button. */
export function Schedule({ campaign }: { campaign: Seen<Campaign> }): ReactNode {
  const { laurel, format, language, settings } = useConsole();
  const { say } = language;
  const [day, setDay] = useState('');
  const [time, setTime] = useState('09:00');
  const { id, status } = campaign;
  const edit = useEdit();
  /** What is typed above and not added would stay behind without a word. */
  const isAllAdded = () => !edit?.isHeld() || confirm(say('campaign.notAdded.ask'));
  const count = useAsk(
    ['campaigns', id, 'count', campaign.segment_id],
    () => laurel.campaigns.countAudience(id),
    { isWanted: campaign.segment_id !== null || campaign.manual_client_ids.length > 0 },
  );
  const actions = useActions(campaign);
  const move = useChange(
    ({ what, at }: { what: Move; at?: string }, options): Call<Campaign> => {
      if (what === 'schedule') return laurel.campaigns.schedule(id, { scheduled_at: at! }, options);
      // What is to stop must stop, whatever became of it meanwhile.
      if (what === 'cancel')
        return laurel.campaigns.cancel(id, { idempotencyKey: options.idempotencyKey });
      return laurel.campaigns[what](id, options);
    },
    {
      forgets: ['campaigns', 'overview'],
      says: (changed) => say(`campaign.is.${changed.status}`),
    },
  );
  const at = day && time ? momentOf(day, settings.timezone, time) : null;
  const hour = Number(time.split(':')[0]);
  const isQuiet = hour >= QUIET.from || hour < QUIET.to;
  const isReady = (count.data ?? 0) > 0 && (actions.data?.length ?? 0) > 0;
  // What has gone out is not checked any more.
  const step = status === 'draft' || status === 'scheduled' ? 4 : 3;
  // Who belongs to it may get nothing of it: without consent, without a card.
  const { estimate } = useEstimate(campaign);
  const reaches = estimate.data
    ? Math.max(0, ...estimate.data.by_action.map(({ customers }) => customers))
    : (count.data ?? 0);
  const reached = say('tiers.count', { count: reaches });
  return (
    <Panel title={`${step}. ${say('campaign.when')}`}>
      <Refused error={move.refused} />
      {status === 'draft' && (
        <>
          {!isReady && <p className="hint">{say('campaign.notReady')}</p>}
          <div className="row row-end">
            <TextInput
              type="date"
              label={say('chart.day')}
              value={day}
              onChange={(event) => setDay(event.currentTarget.value)}
            />
            <TextInput
              type="time"
              label={say('campaign.time', { zone: settings.timezone })}
              value={time}
              onChange={(event) => setTime(event.currentTarget.value)}
            />
            <Button
              variant="default"
              disabled={!isReady || at === null}
              loading={move.isBusy}
              onClick={() => {
                if (at && isAllAdded()) void move.send({ what: 'schedule', at });
              }}
            >
              {at
                ? say('campaign.scheduleFor', { when: format.moment(at) })
                : say('campaign.schedule')}
            </Button>
            <Button
              disabled={!isReady || reaches === 0}
              loading={move.isBusy}
              onClick={() => {
                if (isAllAdded() && confirm(say('campaign.send.ask', { who: reached })))
                  void move.send({ what: 'launch' });
              }}
            >
              {say('campaign.send', { who: reached })}
            </Button>
          </div>
          {day && isQuiet && <Notice kind="warn">{say('campaign.quiet')}</Notice>}
        </>
      )}
      {status === 'scheduled' && (
        <>
          <p>
            {campaign.scheduled_at &&
              say('campaign.waitsFor', { when: format.moment(campaign.scheduled_at) })}
          </p>
          <div>
            <Button
              variant="default"
              loading={move.isBusy}
              onClick={() => void move.send({ what: 'unschedule' })}
            >
              {say('campaign.unschedule')}
            </Button>
          </div>
        </>
      )}
      {status === 'active' && (
        <div>
          <Button
            color="red"
            loading={move.isBusy}
            onClick={() => {
              if (confirm(say('campaign.stop.ask'))) void move.send({ what: 'cancel' });
            }}
          >
            {say('campaign.stop')}
          </Button>
        </div>
      )}
      {(status === 'completed' || status === 'cancelled') && (
        <p>
          {say('campaign.ran', {
            from: campaign.started_at ? format.moment(campaign.started_at) : '–',
            to: format.moment(
              campaign.completed_at ?? campaign.cancelled_at ?? campaign.date_updated,
            ),
          })}
        </p>
      )}
    </Panel>
  );
}
