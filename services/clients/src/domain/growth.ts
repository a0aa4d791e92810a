/** Growth from one bucket to the next in percent, to two places; null where there is nothing to grow from. */
export function growthPercent(before: number | undefined, latest: number): number | null {
  if (before === undefined || before === 0) return null;
  return Math.round(((latest - before) / before) * 10_000) / 100;
}
