import { type ReactNode, useId } from 'react';
import { useText } from '../text';

export interface Series {
  name: string;
  kind: 'bar' | 'line' | 'area';
  values: readonly number[];
}

interface ChartProps {
  title: string;
  /** One sentence that says what is to be seen. */
  summary?: string | undefined;
  /** What stands below each value, and before it in the table. */
  labels: readonly string[];
  series: readonly Series[];
  write: (value: number) => string;
}

const WIDTH = 440;
const HEIGHT = 150;
const LEFT = 8;
const FOOT = 22;

/** A plain picture of few figures; the figures themselves are a table that can be opened, and is read out. */
export function Chart({ title, summary, labels, series, write }: ChartProps): ReactNode {
  const { say } = useText();
  const id = useId();
  const isEmpty = series.every(({ values }) => values.every((value) => value === 0));
  return (
    <figure className="panel chart" aria-labelledby={id}>
      <figcaption>
        <h2 id={id}>{title}</h2>
        {summary && <p className="hint">{summary}</p>}
      </figcaption>
      {isEmpty ? (
        <p className="chart-empty">{say('chart.empty')}</p>
      ) : (
        <>
          <Picture labels={labels} series={series} write={write} />
          <ul className="legend" aria-hidden="true">
            {series.map(({ name }, at) => (
              <li key={name} className={`series-${at}`}>
                {name}
              </li>
            ))}
          </ul>
          <details>
            <summary>{say('chart.table')}</summary>
            <Figures title={title} labels={labels} series={series} write={write} />
          </details>
        </>
      )}
    </figure>
  );
}

function Picture({ labels, series, write }: Omit<ChartProps, 'title' | 'summary'>): ReactNode {
  const count = Math.max(1, labels.length);
  const most = topOf(series.flatMap(({ values }) => values));
  const bars = series.filter(({ kind }) => kind === 'bar');
  const step = (WIDTH - LEFT * 2) / count;
  const x = (at: number) => LEFT + step * (at + 0.5);
  const y = (value: number) => HEIGHT - FOOT - (value / most) * (HEIGHT - FOOT - 16);
  const barWidth = Math.max(1, (step * 0.7) / Math.max(1, bars.length));
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" className="picture">
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line x1={0} x2={WIDTH} y1={y(share * most)} y2={y(share * most)} className="grid" />
          {share > 0 && (
            <text x={2} y={y(share * most) - 4}>
              {write(share * most)}
            </text>
          )}
        </g>
      ))}
      {series.map(({ name, kind, values }, at) => {
        if (kind === 'bar') {
          const nth = bars.findIndex((bar) => bar.name === name);
          return values.map((value, index) => (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: bars stand where they stand; a month comes twice in a year of days
              key={index}
              className={`series-${at}`}
              x={x(index) - (barWidth * bars.length) / 2 + nth * barWidth}
              y={y(value)}
              width={Math.max(1, barWidth - 1)}
              height={Math.max(0, HEIGHT - FOOT - y(value))}
            />
          ));
        }
        const points = values.map((value, index) => `${x(index)},${y(value)}`).join(' ');
        if (kind === 'line')
          return <polyline key={name} className={`line series-${at}`} points={points} />;
        const ground = `${x(values.length - 1)},${y(0)} ${x(0)},${y(0)}`;
        return (
          <g key={name}>
            <polygon className={`area series-${at}`} points={`${points} ${ground}`} />
            <polyline className={`line series-${at}`} points={points} />
          </g>
        );
      })}
      {[0, Math.floor((count - 1) / 2), count - 1].map((at, nth) => (
        <text
          // biome-ignore lint/suspicious/noArrayIndexKey: first, middle, last; they may be the same
          key={nth}
          x={nth === 0 ? 2 : nth === 2 ? WIDTH - 2 : x(at)}
          y={HEIGHT - 4}
          textAnchor={nth === 0 ? 'start' : nth === 2 ? 'end' : 'middle'}
        >
          {nth === 1 && count < 3 ? '' : nth === 2 && count < 2 ? '' : labels[at]}
        </text>
      ))}
    </svg>
  );
}

function Figures({ title, labels, series, write }: Omit<ChartProps, 'summary'>): ReactNode {
  const { say } = useText();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-room figures" tabIndex={0} aria-label={title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{say('chart.day')}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same
            <tr key={at}>
              <th scope="row">{label}</th>
              {series.map(({ name, values }) => (
                <td key={name} className="number">
                  {write(values[at] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What the highest line stands for; of what is counted, the one half-way is a whole number, too. */
function topOf(values: readonly number[]): number {
  const top = roundUp(Math.max(...values));
  return top % 2 !== 0 && values.every(Number.isInteger) ? top + 1 : top;
}

/** The next of 1, 2, 5, 10, 20 …, so that the lines stand at figures that can be read. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= value)!;
}

/** Names and how often, the most first. */
export function Ranking({
  title,
  rows,
  write,
}: {
  title: string;
  rows: readonly { name: string; value: number; to?: string }[];
  write: (value: number) => string;
}): ReactNode {
  const { say } = useText();
  const id = useId();
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <figure className="panel chart" aria-labelledby={id}>
      <figcaption>
        <h2 id={id}>{title}</h2>
      </figcaption>
      {rows.length === 0 ? (
        <p className="chart-empty">{say('chart.empty')}</p>
      ) : (
        <ol className="ranking">
          {rows.map(({ name, value }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two of them may be called the same
            <li key={at}>
              <span>{name}</span>
              <b>{write(value)}</b>
              <meter min={0} max={most} value={value} aria-hidden="true" />
            </li>
          ))}
        </ol>
      )}
    </figure>
  );
}
