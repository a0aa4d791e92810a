import type { Units } from '@laurel/values/amount';
import { type ClientFields, newClient } from '../domain/client';
import type { FieldDefinition } from '../domain/data-model';
import { criterionOf } from '../domain/segments/criteria';
import { complies } from '../domain/segments/criterion';
import type { FilterConfigs, Segment, SegmentFilter } from '../domain/segments/filter';
import { newProfile, type Profile } from '../domain/segments/profile';
import { blankEvent, type TrailEvent } from '../domain/trail-event';
import { CONTACT_KEYS } from '../store/profiles';

export const NOW = new Date('2026-03-10T12:00:00.000Z');
const DAY_MS = 86_400_000;
export const at = (daysAgo: number) => new Date(NOW.getTime() - daysAgo * DAY_MS);

/** The profile of somebody who registered 100 days ago. */
export const person = (fields: ClientFields = {}): Profile =>
  newProfile(
    newClient({ id: 'c', workspaceId: 'w' }, fields, { source: 'api', now: at(100) }),
    CONTACT_KEYS,
  );

let rows = 0;

export function row(category: string, type: string, when: Date): TrailEvent {
  rows += 1;
  const id = `row ${rows}`;
  const origin = { id, workspaceId: 'w', clientId: 'c', passId: null, clientName: null };
  return blankEvent(category as 'custom', type, { ...origin, timestamp: when, source: null });
}

/** Of units, as all amounts are. */
export const withAmountOf = (told: TrailEvent, amount: Units): TrailEvent => ({ ...told, amount });

export const filterOf = <Type extends keyof FilterConfigs>(
  filter_type: Type,
  filter_config: FilterConfigs[Type],
) => ({ id: 'f', filter_type, filter_config }) as unknown as SegmentFilter;

/** Whether a segment of this one filter has somebody, at NOW. */
export function isIn<Type extends keyof FilterConfigs>(
  profile: Profile,
  ...[type, config, { definitions = [], segments = {} } = {}]: Asked<Type>
): boolean {
  const byName = new Map(definitions.map((one) => [one.field_name, one]));
  const context = {
    now: NOW,
    definitions: byName,
    segments: new Map(Object.entries(segments)),
    contactKeys: CONTACT_KEYS,
  };
  return complies(profile, criterionOf([filterOf(type, config)], context));
}

type Asked<Type extends keyof FilterConfigs> = [
  type: Type,
  config: FilterConfigs[Type],
  vocabulary?: Vocabulary,
];

interface Vocabulary {
  definitions?: readonly FieldDefinition[];
  segments?: Record<string, Pick<Segment, 'filters'>>;
}
