import { toUnits } from '@laurel/values/amount';
import { EMPTY_TALLY } from '../domain/backtest';
import type { Backtest } from '../store/backtests';
import { toBacktestReply } from './wire';

test('a backtest tells of more points than one amount may be', () => {
  const points = 2 * toUnits(100_000_000_000);
  const tally = { ...EMPTY_TALLY, points, days: [{ date: '2026-03-01', matches: 2, points }] };
  const rule = { conditions: [], effects: [] };
  const told = toBacktestReply({ tally, rule } as unknown as Backtest);
  expect([told.points, told.by_day?.[0]?.points]).toEqual([200_000_000_000, 200_000_000_000]);
});
