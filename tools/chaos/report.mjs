// What a run came to, for people.

/** @typedef {ReturnType<typeof import('./checker/invariants.mjs').checkAll>[number]} Checked */

const SHOWN = 5;

/** @param {Checked[]} rows */
export function renderInvariants(rows) {
  const lines = rows.map(({ name, says, checked, violations }) => {
    const verdict = violations.length === 0 ? '✓' : '✗';
    const found = violations.length === 0 ? '0' : String(violations.length);
    return `${verdict} ${name.padEnd(4)} ${says.padEnd(42)} ${String(checked).padStart(9)} ${found.padStart(10)}`;
  });
  const head = `  ${'name'.padEnd(4)} ${'invariant'.padEnd(42)} ${'checked'.padStart(9)} ${'violations'.padStart(10)}`;
  const details = rows
    .filter(({ violations }) => violations.length > 0)
    .flatMap(({ name, violations }) => [
      `\n${name}:`,
      ...violations.slice(0, SHOWN).map((text) => `  ${text}`),
      ...(violations.length > SHOWN ? [`  ... and ${violations.length - SHOWN} more`] : []),
    ]);
  return [head, ...lines, ...details].join('\n');
}

/** @param {Map<string | number, number>} counts @returns {string} most frequent first */
export const renderCounts = (counts) =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** @template T @param {readonly T[]} rows @param {(row: T) => string | number} keyOf */
export function countBy(rows, keyOf) {
  /** @type {Map<string | number, number>} */
  const counts = new Map();
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return counts;
}
