import { nestedIn, type SegmentFilter } from './filter';
import { DEPTH_MAX, FILTERS_NESTED_MAX, nestingProblems } from './nesting';

const nesting = (...ids: string[]) =>
  ids.map((segment_id) => ({
    id: segment_id,
    filter_type: 'segment',
    filter_config: { segment_id },
  })) as SegmentFilter[];
const segments = (nested: Record<string, string[]>) =>
  new Map(Object.entries(nested).map(([id, ids]) => [id, { filters: nesting(...ids) }]));

test('a segment that would come back to itself is refused at the filter that leads there', () => {
  const others = segments({ a: ['b', 'c'], b: [], c: ['d'], d: [] });
  expect(nestingProblems('d', nesting('b', 'a'), others)).toMatchObject([
    { field: 'filters.1.filter_config.segment_id' },
  ]);
  expect(nestingProblems('d', nesting('d'), others)).toHaveLength(1);
});

test('one segment may be nested in several ways', () => {
  expect(nestingProblems('a', nesting('b', 'c'), segments({ b: ['d'], c: ['d'], d: [] }))).toEqual(
    [],
  );
});

test('nesting that would multiply into too many filters is refused, also from below', () => {
  const doubling: Record<string, string[]> = { s0: [] };
  for (let level = 1; level <= 7; level += 1)
    doubling[`s${level}`] = Array(2).fill(`s${level - 1}`);
  const others = segments(doubling);
  expect(nestingProblems('s7', nesting('s6', 's6'), others)).toEqual([]);
  expect(nestingProblems('s8', nesting('s7', 's7'), others)).toMatchObject([{ field: 'filters' }]);
  expect(
    nestingProblems('s0', nesting('x', 'y'), new Map([...others, ...segments({ x: [], y: [] })])),
  ).toMatchObject([{ field: 'filters' }]);
  expect(FILTERS_NESTED_MAX).toBe(500);
});

test('nesting that goes too deep is refused, from above and from below, and stays where nothing of it is changed', () => {
  const chainOf = (length: number) =>
    segments(
      Object.fromEntries(
        Array.from({ length }, (_, at) => [`s${at}`, at === 0 ? [] : [`s${at - 1}`]]),
      ),
    );
  const others = chainOf(DEPTH_MAX);
  expect(nestingProblems('top', nesting(`s${DEPTH_MAX - 1}`), others)).toEqual([]);
  const deep = chainOf(DEPTH_MAX + 1);
  const refused = [{ field: 'filters', message: expect.stringContaining(String(DEPTH_MAX)) }];
  expect(nestingProblems('top', nesting(`s${DEPTH_MAX}`), deep)).toEqual(refused);
  expect(
    nestingProblems('s0', nesting('leaf'), new Map([...deep, ...segments({ leaf: [] })])),
  ).toEqual(refused);
  expect(nestingProblems('aside', nesting('s0'), chainOf(DEPTH_MAX + 2))).toEqual([]);
});

test('segments that are nested too deep from before can be written as they are, and taken apart anywhere', () => {
  const chain: Record<string, string[]> = { s0: [] };
  for (let at = 1; at <= 50; at += 1) chain[`s${at}`] = [`s${at - 1}`];
  const others = segments(chain);
  expect(nestingProblems('s5', nesting('s4'), others)).toEqual([]);
  expect(nestingProblems('s25', nesting(), others)).toEqual([]);
  expect(nestingProblems('s30', nesting('s10'), others)).toEqual([]);
  expect(nestingProblems('s0', nesting('leaf'), segments({ ...chain, leaf: [] }))).toHaveLength(1);
  expect(nestingProblems('s10', nesting('s30'), others)).toHaveLength(1);
});

test('segments that have too many filters from before can be written as they are, and made smaller', () => {
  const others = segments({ all: Array(600).fill('leaf'), leaf: [], above: ['all'] });
  expect(nestingProblems('all', nesting(...Array(600).fill('leaf')), others)).toEqual([]);
  expect(nestingProblems('all', nesting(...Array(550).fill('leaf')), others)).toEqual([]);
  expect(nestingProblems('leaf', nesting(), others)).toEqual([]);
  expect(nestingProblems('all', nesting(...Array(601).fill('leaf')), others)).toHaveLength(1);
  expect(nestingProblems('more', nesting('all'), others)).toHaveLength(1);
});

test('a filter that nests nothing counts as one, and so does one whose segment is gone', () => {
  const plain = { id: 'f', filter_type: 'tier', filter_config: { tier_ids: ['gold'] } } as const;
  const many = (count: number): SegmentFilter[] =>
    Array.from({ length: count }, () => ({ ...plain, filter_config: { tier_ids: ['gold'] } }));
  expect(nestingProblems('a', [...many(499), ...nesting('gone')], new Map())).toEqual([]);
  expect(nestingProblems('a', many(501), new Map())).toMatchObject([{ field: 'filters' }]);
  expect(nestedIn([...many(1), ...nesting('b', 'b')])).toEqual(['b']);
});
