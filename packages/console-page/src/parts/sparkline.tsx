import type { ReactNode } from 'react';

const WIDTH = 120;
const HEIGHT = 24;

interface SparklineProps {
  /** What is to be seen, in words: the picture is nothing to a listener. */
  text: string;
  days: readonly { date: string; count: number }[];
}

/** How a few weeks went, as small as a word, with what they come to in words beside it. */
export function Sparkline({ text, days }: SparklineProps): ReactNode {
  const most = Math.max(...days.map(({ count }) => count));
  const step = WIDTH / Math.max(1, days.length);
  return (
    <span className="sparkline">
      {most > 0 && (
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
          {days.map(({ date, count }, at) => {
            // A day with something is seen, however little it is beside the others.
            const height = count === 0 ? 1 : Math.max(3, (count / most) * HEIGHT);
            return (
              <rect
                key={date}
                className={count === 0 ? 'none' : undefined}
                x={at * step + 0.5}
                y={HEIGHT - height}
                width={step - 1}
                height={height}
              />
            );
          })}
        </svg>
      )}
      <span>{text}</span>
    </span>
  );
}

/** What all days come to. */
export function sumOfDays(days: SparklineProps['days']): number {
  return days.reduce((sum, { count }) => sum + count, 0);
}
