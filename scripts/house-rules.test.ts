import { compareToLeft, countByFile } from './house-rules.mjs';

const TOO_LONG = 'functions over 60 lines';
const IN_CIRCLES = 'imports that lead back to their file';

test('each breach of a house rule is counted for its file, and what other linters find is not', () => {
  const long = { category: 'lint/complexity/noExcessiveLinesPerFunction', file: 'b.ts' };
  const circle = { category: 'lint/suspicious/noImportCycles', file: 'a.ts' };
  const other = { category: 'suppressions/unused', file: 'a.ts' };

  const counts = countByFile([long, circle, long, other]);

  expect(counts[TOO_LONG]).toEqual({ 'b.ts': 2 });
  expect(counts[IN_CIRCLES]).toEqual({ 'a.ts': 1 });
});

test('a file that breaks a rule more often than its list allows fails the check', () => {
  const found = { [TOO_LONG]: { 'a.ts': 2, 'new.ts': 1 } };

  expect(compareToLeft(found, { [TOO_LONG]: { 'a.ts': 1 } })).toEqual([
    'a.ts: 2 functions over 60 lines, 1 are allowed',
    'new.ts: 1 functions over 60 lines, 0 are allowed',
  ]);
});

test('what was mended is taken off the list, so that it cannot come back', () => {
  expect(compareToLeft({}, { [TOO_LONG]: { 'a.ts': 1 } })).toEqual([
    'a.ts: 0 functions over 60 lines, down from 1: write it down with node scripts/count-breaches.mjs',
  ]);
  expect(compareToLeft({ [TOO_LONG]: { 'a.ts': 1 } }, { [TOO_LONG]: { 'a.ts': 1 } })).toEqual([]);
});
