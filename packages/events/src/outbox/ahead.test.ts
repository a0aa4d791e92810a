import type { CloudEvent } from '../envelope';
import { aheadOf } from './ahead';

const one = (key: string, subject: string, workspaceid = 'one') => ({
  key,
  event: { workspaceid, subject } as CloudEvent,
});

test('of what waits in memory goes first what is earlier than something found of the same subject', () => {
  const waiting = [one('1', 'a'), one('3', 'a'), one('5', 'a')];
  expect(aheadOf([one('4', 'a')], waiting)).toEqual([waiting[0], waiting[1]]);
});

test('the last that was found of a subject counts, and nothing goes before itself', () => {
  const waiting = [one('2', 'a'), one('4', 'a')];
  expect(aheadOf([one('1', 'a'), one('4', 'a')], waiting)).toEqual([waiting[0]]);
});

test('what is found of others lets nothing go first: another subject, or the same of another workspace', () => {
  const waiting = [one('1', 'a')];
  expect(aheadOf([one('9', 'b'), one('9', 'a', 'other')], waiting)).toEqual([]);
  expect(aheadOf([], waiting)).toEqual([]);
});
