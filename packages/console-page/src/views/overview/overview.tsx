import { POINT_FLOWS } from '@laurel/contract';
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { isCounting, loadOverview, loadRedeemed, PERIODS } from '../../api/overview';
import { useConsole } from '../../console';
import { dayIn, lastDays } from '../../format/days';
import { useAsk } from '../../parts/ask';
import { Chart, Ranking } from '../../parts/chart';
import { useSearch } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Page } from '../../parts/page';
import { Figures, type FiguresOf } from './figures';
import { Latest } from './latest';
import { Needs, Todo } from './needs';

const DAYS = [7, 30, 90, 365] as const;
/** Between two looks at what is still being counted. */
const COUNTING_MS = 2_000;

/** How it goes: what needs somebody, the figures against the days before, and what happened last. */
export function Overview(): ReactNode {
  const { language, settings, workspace } = useConsole();
  const { say } = language;
  const [search, change] = useSearch();
  const days = DAYS.find((one) => String(one) === search.days) ?? 7;
  const today = dayIn(settings.timezone, new Date());
  const span = lastDays(days, today);

  const overview = useAsk(
    ['overview', span],
    (laurel) => loadOverview(laurel, span, PERIODS[days]),
    { everyMs: (found) => found !== undefined && isCounting(found) && COUNTING_MS },
  );
  const currencies = useAsk(['wallet-types'], (laurel) => laurel.walletTypes.list());
  const redeemed = useAsk(['overview', 'redeemed', span], (laurel) =>
    loadRedeemed(laurel, span, settings.timezone),
  );
  const needs = useAsk(['overview', 'needs'], (laurel) => laurel.workspaces.getAttention());
  const me = useAsk(['overview', 'me'], (laurel) => laurel.workspaces.getMe());
  const currency =
    currencies.data?.find(({ code }) => code === search.currency) ??
    currencies.data?.find(({ is_default }) => is_default) ??
    currencies.data?.[0];
  return (
    <Page
      title={say('overview.title')}
      lead={workspace.name}
      actions={
        <>
          <NativeSelect
            aria-label={say('overview.period')}
            value={String(days)}
            onChange={(event) => change({ days: event.currentTarget.value })}
            data={DAYS.map((value) => ({
              value: String(value),
              label: say('overview.days', { count: value }),
            }))}
          />
          {(currencies.data?.length ?? 0) > 1 && (
            <NativeSelect
              aria-label={say('overview.currency')}
              value={currency?.code ?? ''}
              onChange={(event) => change({ currency: event.currentTarget.value })}
              data={currencies.data!.map((one) => ({ value: one.code, label: one.name }))}
            />
          )}
        </>
      }
    >
      {needs.data && needs.data.length > 0 && <Needs needs={needs.data} />}
      {me.data && <Todo setup={me.data.setup} />}
      <Loaded query={overview} lines={14}>
        {(found) => (
          <>
            <Figures found={found} currency={currency} redeemed={redeemed.data} days={days} />
            <div className="grid-2">
              <Charts found={found} currency={currency} />
              <Loaded query={redeemed} lines={8}>
                {({ rewards }) => (
                  <TopRewards
                    rows={rewards.map((one) => ({
                      name: one.reward_name,
                      value: one.redemption_count,
                    }))}
                  />
                )}
              </Loaded>
              <Latest />
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function TopRewards({ rows }: { rows: { name: string; value: number }[] }): ReactNode {
  const { format, language } = useConsole();
  return (
    <Ranking title={language.say('overview.chart.rewards')} write={format.number} rows={rows} />
  );
}

function Charts({ found, currency }: FiguresOf): ReactNode {
  const { format, language } = useConsole();
  const { say } = language;
  const people = found.customers?.buckets ?? [];
  const points = found.currencies?.find((one) => one.wallet_type_code === currency?.code)?.buckets;
  const unit = currency?.unit_plural_name ?? currency?.name ?? '';
  const labels = people.map(({ date }) => format.shortDay(date));
  return (
    <>
      <Chart
        title={say('overview.chart.customers')}
        summary={say('overview.sum', { count: found.customers?.new ?? 0 })}
        labels={labels}
        write={format.number}
        series={[
          {
            name: say('overview.newCustomers'),
            kind: 'bar',
            values: people.map((one) => one.new ?? 0),
          },
          {
            name: say('overview.active'),
            kind: 'line',
            values: people.map((one) => one.active ?? 0),
          },
        ]}
      />
      {points && (
        <>
          <Chart
            title={say('overview.chart.points', { name: unit })}
            labels={points.map(({ date }) => format.shortDay(date))}
            write={format.number}
            series={POINT_FLOWS.map((name) => ({
              name: say(`overview.${name}`),
              kind: 'bar',
              values: points.map((one) => Math.max(0, one[name] ?? 0)),
            }))}
          />
          <Chart
            title={say('overview.chart.owed', { name: unit })}
            labels={points.map(({ date }) => format.shortDay(date))}
            write={format.number}
            series={[
              {
                name: say('overview.owed'),
                kind: 'area',
                values: points.map((one) => Math.max(0, one.owed ?? 0)),
              },
            ]}
          />
        </>
      )}
    </>
  );
}
