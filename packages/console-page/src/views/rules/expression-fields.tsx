import { Checkbox, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { readCondition, writeCondition } from '../../rule/formula';
import type { Telling } from '../../rule/sentence';
import { FormulaField } from './formula-field';

const HOURS = Array.from({ length: 25 }, (_, hour) => String(hour));

/** Days and hours as ticks, whatever else as a formula. */
export function ExpressionFields({
  expression,
  telling,
  error,
  onChange,
}: {
  expression: string;
  telling: Telling;
  error: string | undefined;
  onChange: (expression: string) => void;
}): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const pill = readCondition(expression);
  if (pill.kind === 'birthday') return null;
  if (pill.kind === 'formula')
    return (
      <FormulaField
        label={say('formula')}
        value={pill.text}
        error={error}
        onChange={onChange}
        expects="boolean"
      />
    );
  const hours = pill.hours;
  return (
    <>
      <Checkbox.Group
        label={say('if.days')}
        value={pill.days.map(String)}
        onChange={(days) => onChange(writeCondition({ ...pill, days: days.map(Number).sort() }))}
      >
        <div className="row">
          {telling.days.map((name, at) => (
            <Checkbox key={name} value={String(at + 1)} label={name} />
          ))}
        </div>
      </Checkbox.Group>
      <div className="row row-end">
        <Checkbox
          label={say('if.betweenHours')}
          checked={hours !== null}
          onChange={(event) =>
            onChange(
              writeCondition({
                ...pill,
                hours: event.currentTarget.checked ? { from: 8, to: 11 } : null,
              }),
            )
          }
        />
        {hours && (
          <>
            <NativeSelect
              label={say('if.fromHour')}
              value={String(hours.from)}
              onChange={(event) => {
                const from = Number(event.currentTarget.value);
                onChange(
                  writeCondition({ ...pill, hours: { from, to: Math.max(from + 1, hours.to) } }),
                );
              }}
              data={HOURS.slice(0, 24)}
            />
            <NativeSelect
              label={say('if.toHour')}
              value={String(hours.to)}
              onChange={(event) => {
                const to = Number(event.currentTarget.value);
                onChange(
                  writeCondition({ ...pill, hours: { from: Math.min(hours.from, to - 1), to } }),
                );
              }}
              data={HOURS.slice(1)}
            />
          </>
        )}
      </div>
    </>
  );
}
