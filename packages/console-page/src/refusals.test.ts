import { LaurelError, type Problem } from '@laurel/client';
import type { Say } from './language';
import { sayRefused, troubleOf, unsaidBy } from './refusals';

const refused = (...fields: (string | undefined)[]): LaurelError =>
  new LaurelError({
    status: 400,
    problems: fields.map((field): Problem => {
      const problem = { code: 'INVALID_PAYLOAD', message: `${field ?? 'all of it'} is wrong` };
      return field === undefined ? problem : { ...problem, field };
    }),
    requestId: 'r-1',
    retryAfterSeconds: undefined,
  });
const forbidden = (reason?: string): LaurelError =>
  new LaurelError({
    status: 403,
    problems: [{ code: 'FORBIDDEN', message: 'no', ...(reason && { reason }) } as Problem],
    requestId: 'r-1',
    retryAfterSeconds: undefined,
  });
const said = (error: unknown): string | null => (error === null ? null : (error as Error).message);

describe('a refusal', () => {
  test.each([
    ['not_a_member', 'refused.notMember'],
    ['only_the_creator', 'wrong.creatorOnly'],
    [undefined, 'refused.forbidden'],
  ])('for %s says why, where there is more to it than the right', (reason, word) => {
    const say = ((key: string) => key) as Say;
    expect(sayRefused(say, forbidden(reason))).toBe(word);
  });

  test('of an address that names no id says that nothing is there', () => {
    const cutShort = new LaurelError({
      status: 400,
      problems: [{ code: 'INVALID_PAYLOAD', message: 'id must be a UUID' } as Problem],
      requestId: 'r-1',
      retryAfterSeconds: undefined,
    });
    expect(sayRefused(((key: string) => key) as Say, cutShort)).toBe('refused.notFound');
  });

  test('is said beside the form where no field of it says it, and once where one does', () => {
    expect(said(unsaidBy(['name'], refused('name')))).toBeNull();
    expect(said(unsaidBy(['name'], refused('filters')))).toBe('filters is wrong');
    expect(said(unsaidBy(['name'], refused(undefined)))).toBe('all of it is wrong');
    expect(unsaidBy(['name'], null)).toBeNull();
  });

  test('of a list is said by the rows of it that stand there, and beside the form where it is of the list', () => {
    const rows = ['filters.0', 'filters.1'];
    expect(said(unsaidBy(rows, refused('filters.1.filter_config')))).toBeNull();
    expect(said(unsaidBy(rows, refused('filters')))).toBe('filters is wrong');
    expect(said(unsaidBy(rows, refused('filters.2')))).toBe('filters.2 is wrong');
    expect(said(unsaidBy(rows, refused('filters.10')))).toBe('filters.10 is wrong');
    expect(troubleOf(refused('filters.10'), 'filters.1')).toBeUndefined();
  });

  test('of several things leaves out only what fields say', () => {
    const left = unsaidBy(['name'], refused('name', 'visibility_tiers.0'));
    expect(said(left)).toBe('visibility_tiers.0 is wrong');
    expect((left as LaurelError).requestId).toBe('r-1');
  });
});
