/**
 * Pages as somebody writes them down, parted by commas, blanks or lines, as the origins that a browser names: of an address
 * with a path its start, and https where nothing is said. What is no address stays as it is, to be refused in words.
 */
export const originsOf = (typed: string): string[] =>
  [...new Set(typed.split(/[\s,;]+/).filter(Boolean))].map(originOf);

function originOf(typed: string): string {
  const whole = typed.includes('://') ? typed : `https://${typed}`;
  const [, start] = /^(https?:\/\/[^/?#]+)/i.exec(whole) ?? [];
  return start === undefined || typed === '*' ? typed : start.toLowerCase();
}
