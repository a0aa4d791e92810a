/** Groups of three with a separator, or a plain number; then a separator and two decimals. A percentage is no amount. */
const WITH_DECIMALS =
  /(?<![\d.,/-])(-?\d{1,3}(?:[ .,'’]\d{3})+|-?\d{1,8})\s?[.,]\s?(\d{2})(?![\d%]|[.,/-]\d|\s?%)/g;
const WHOLE =
  /(?<![\d.,/:-])(\d{1,3}(?:[ .,'’]\d{3})+|\d{1,8})(?![\d%]|[.,/:-]\d|[.,](?:\s|$)|\s?%)/g;

/** Amounts with two decimals in a line, in order: 1.234,56, 1,234.56, 1 234,56, 12.50. */
export function amountsIn(line: string): number[] {
  return [...line.matchAll(WITH_DECIMALS)].map(([, whole, decimals]) =>
    Number(`${digitsOf(whole!)}.${decimals}`),
  );
}

/** Numbers without decimals, as prices are in some currencies; not those that lost them (`1,333.`). */
export function wholeAmountsIn(line: string): number[] {
  return [...line.matchAll(WHOLE)].map(([, whole]) => Number(digitsOf(whole!)));
}

function digitsOf(number: string): string {
  return number.replace(/[^\d-]/g, '');
}
