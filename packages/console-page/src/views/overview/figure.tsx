import type { ReactNode } from 'react';
import type { Format } from '../../format/format';
import type { Say } from '../../language';

interface FigureProps {
  title: string;
  unit?: string | undefined;
  /** Null while it is still being counted. */
  now: number | null;
  /** Of the days before; left out where nothing is compared. */
  before?: number | null | undefined;
  note?: string | undefined;
  days: number;
  format: Format;
  say: Say;
}

/** One figure, and how it stands to the days before. */
export function Figure({
  title,
  unit,
  now,
  before,
  note,
  days,
  format,
  say,
}: FigureProps): ReactNode {
  const change =
    now === null
      ? say('overview.counting')
      : before === undefined || before === null
        ? note
        : before === 0
          ? undefined
          : say('overview.compared', {
              change: format.percent((now - before) / before, true),
              count: days,
            });
  return (
    <section className="panel figure" aria-label={title}>
      <span>{title}</span>
      <b>
        {now === null ? '…' : format.number(now)}
        {unit && <small> {unit}</small>}
      </b>
      <small>{change ?? ' '}</small>
    </section>
  );
}
