import { useMemo } from 'react';
import { loadNames } from '../api/names';
import { useConsole } from '../console';
import { useAsk } from '../parts/ask';
import type { Telling } from './sentence';

/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);

/** The days of the week, Monday first. */
export function dayNames(locale: string): string[] {
  const names = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, at) => names.format(new Date(MONDAY + at * 86_400_000)));
}

/** What rules are put into words with; null until the names are known. */
export function useTelling(): {
  telling: Telling | null;
  query: ReturnType<typeof useAsk<Telling['names']>>;
} {
  const { language, format } = useConsole();
  const query = useAsk(['names'], loadNames);
  const telling = useMemo(
    () =>
      query.data
        ? {
            say: language.say,
            knows: language.knows,
            format,
            names: query.data,
            days: dayNames(language.locale),
          }
        : null,
    [query.data, language, format],
  );
  return { telling, query };
}
