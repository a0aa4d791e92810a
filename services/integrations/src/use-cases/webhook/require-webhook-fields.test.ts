import type { Refusal } from '@laurel/errors';
import { requireEventTypes } from './require-webhook-fields';

const NAMES = ['client.created', 'loyalty.points_earned'];

function refusalOf(eventTypes: string[]): Refusal {
  try {
    requireEventTypes(eventTypes, NAMES);
  } catch (error) {
    return error as Refusal;
  }
  throw new Error('they were taken');
}

test('every name that no webhook carries is a problem of its own, at its place', () => {
  const { problems } = refusalOf(['client.crated', 'client.created', 'points']);
  expect(problems.map(({ field }) => field)).toEqual(['event_types.0', 'event_types.2']);
});

test('names and groups of them are taken once each, everything only by itself', () => {
  const named = ['client.created', 'loyalty.*', 'client.created'];
  expect(requireEventTypes(named, NAMES)).toEqual(['client.created', 'loyalty.*']);
  expect(requireEventTypes(['*'], NAMES)).toEqual(['*']);
  expect(refusalOf(['*', 'client.created']).problems[0]!.field).toBe('event_types');
});
