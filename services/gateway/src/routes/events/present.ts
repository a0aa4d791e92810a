import type { clients } from '@laurel/rpc';
import { type Answer, data, replayed } from '../../routing';
import type { AggregateBody } from './schema';

/** The event that was stored; the headers tell where it was there before under its external_id. */
export function presentRecording({ repeated, ...event }: clients.Event): Answer {
  return replayed(data(event), repeated === true);
}

/** `errors` is there only when something failed. */
export function presentRecorded({ created, failed, events, errors }: clients.RecordedEvents) {
  return { created, failed, events, ...(errors.length > 0 ? { errors } : {}) };
}

/** One result with the window it covers, or one per pass. */
export function presentAggregates(
  request: AggregateBody,
  { results, from_date, to_date }: clients.Aggregates,
): object {
  const isBucketed = request.group_by_time !== undefined;
  const figures = results.map(({ pass_id, value, buckets }) => ({
    pass_id,
    value: value ?? null,
    ...(isBucketed ? { buckets } : {}),
  }));
  if (request.group_by_pass) return figures;
  const { pass_id: _pass, ...whole } = figures[0]!;
  return {
    ...whole,
    event_category: request.event_category ?? null,
    event_types: request.event_types ?? null,
    time_window: (isWindowOverruled(request) ? null : request.time_window) ?? null,
    from_date: from_date ?? null,
    to_date: to_date ?? null,
  };
}

/** Dates and days win over the window that is named: what was counted is then in the dates of the answer. */
const isWindowOverruled = ({ custom_days, from_date, to_date }: AggregateBody): boolean =>
  [custom_days, from_date, to_date].some((one) => one !== undefined);
