import type { AutomationsBacktestBody, Backtest } from '@laurel/client';
import { Button, NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { notedInWords } from '../../noted';
import { useAsk } from '../../parts/ask';
import { Chart } from '../../parts/chart';
import { Go } from '../../parts/go';
import { Loaded, Trouble } from '../../parts/loaded';
import { Notice } from '../../parts/notice';
import { Panel } from '../../parts/page';
import { useWish } from '../../parts/wish';
import type { RuleBody } from '../../rule/body';

const SPANS = [30, 90, 365];
const EVERY_MS = 1_000;
const DAY_MS = 86_400_000;

/** What a rule would have done in the days that are past, saved or not. */
export function Past({ rule }: { rule: RuleBody }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const [days, setDays] = useState(90);
  const [job, setJob] = useState<string | null>(null);
  const wish = useWish(
    (body: AutomationsBacktestBody, options) => laurel.automations.backtest(body, options),
    ({ id }) => setJob(id),
  );
  const backtest = useAsk(['backtest', job], () => laurel.automations.getBacktest(job!), {
    isWanted: job !== null,
    everyMs: (found) => !['completed', 'failed'].includes(found?.status ?? '') && EVERY_MS,
  });
  const start = () => {
    const now = Date.now();
    setJob(null);
    void wish.send({
      rule: { ...rule, active: true },
      from_date: new Date(now - days * DAY_MS).toISOString(),
      to_date: new Date(now).toISOString(),
    });
  };
  return (
    <Panel title={say('past.title')}>
      <NativeSelect
        label={say('past.span')}
        value={String(days)}
        onChange={(event) => setDays(Number(event.currentTarget.value))}
        data={SPANS.map((value) => ({
          value: String(value),
          label: say('overview.days', { count: value }),
        }))}
      />
      {wish.refused !== null && <Trouble error={wish.refused} />}
      <Button variant="default" onClick={start} loading={wish.isBusy}>
        {say('past.go')}
      </Button>
      {job && <Loaded query={backtest}>{(found) => <Result found={found} />}</Loaded>}
    </Panel>
  );
}

function Result({ found }: { found: Backtest }): ReactNode {
  const { format, language } = useConsole();
  const { say } = language;
  const ofToday = found.approximations.filter((one) => one !== 'event_metadata');
  if (found.status === 'failed')
    return (
      <Notice kind="bad">
        {found.error ? notedInWords(language, found.error) : say('refused.other')}
      </Notice>
    );
  if (found.status !== 'completed')
    return <progress max={1} value={found.progress} aria-label={say('past.running')} />;
  return (
    <>
      <p role="status">
        {say('past.result', {
          matches: found.matches,
          clients: found.clients,
          points: format.number(found.points),
        })}
      </p>
      {ofToday.length > 0 && (
        <p className="hint">
          {say('past.approximate', {
            names: ofToday.map((one) => say(`approximate.${one}`)).join(', '),
          })}
        </p>
      )}
      {found.approximations.includes('event_metadata') && (
        <p className="hint">{say('past.unkept')}</p>
      )}
      {found.by_day.length > 1 && (
        <Chart
          title={say('past.byDay')}
          labels={found.by_day.map(({ date }) => format.shortDay(date.slice(0, 10)))}
          write={format.number}
          series={[
            {
              name: say('run.points'),
              kind: 'bar',
              values: found.by_day.map(({ points }) => points),
            },
          ]}
        />
      )}
      <ul className="plain-list">
        {found.sample.slice(0, 5).map((one) => (
          <li key={one.event_id}>
            <Go to={`/customers/${one.client_id}`}>{format.moment(one.event_timestamp)}</Go>
            <span>{format.change(one.points)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
