import type { Overview } from '@laurel/client';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { Figure } from './figure';

/** What is shown of a span of days, with the points of one currency. */
export interface FiguresOf {
  found: Overview;
  currency: { code: string; name: string; unit_plural_name: string | null } | undefined;
}

/** The figures of a span of days beside those of the days before. */
export function Figures({
  found,
  currency,
  redeemed,
  days,
}: FiguresOf & {
  /** How often rewards were redeemed, as the ranking beside it counts; undefined until that is known. */
  redeemed: { count: number; before: number } | undefined;
  days: number;
}): ReactNode {
  const { format, language } = useConsole();
  const { say } = language;
  const { customers, passes, previous, redemptions } = found;
  const points = found.currencies?.find((one) => one.wallet_type_code === currency?.code);
  const then = previous?.currencies?.find((one) => one.wallet_type_code === currency?.code);
  const unit = currency?.unit_plural_name ?? currency?.name;
  const common = { days, format, say };
  return (
    <div className="figures-row">
      {customers && (
        <>
          <Figure
            {...common}
            title={say('overview.newCustomers')}
            now={customers.new}
            before={previous?.customers?.new}
          />
          <Figure
            {...common}
            title={say('overview.active')}
            now={customers.active}
            before={previous?.customers?.active}
          />
        </>
      )}
      {points && (
        <>
          <Figure
            {...common}
            title={say('overview.issued')}
            unit={unit}
            now={points.issued}
            before={then?.issued}
          />
          <Figure
            {...common}
            title={say('overview.used')}
            unit={unit}
            now={points.used}
            before={then?.used}
          />
          <Figure
            {...common}
            title={say('overview.owed')}
            unit={unit}
            now={points.owed}
            note={
              points.pending
                ? say('overview.owed.pending', { amount: format.number(points.pending) })
                : undefined
            }
          />
        </>
      )}
      {redemptions && (
        <Figure
          {...common}
          title={say('overview.redemptions')}
          now={redeemed?.count ?? null}
          before={redeemed?.before}
        />
      )}
      {passes && (
        <Figure
          {...common}
          title={say('overview.cards')}
          now={passes.apple + passes.google}
          note={say('overview.cards.of', { total: passes.total })}
        />
      )}
    </div>
  );
}
