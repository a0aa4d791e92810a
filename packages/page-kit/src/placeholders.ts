/**
 * What differs for each customer, as texts of cards name it (part 2, Pass template): fields of the person stand in double
 * braces, everything else in those of an expression. A name in the wrong ones is filled with nothing.
 */
export const balanceOf = (code: string): string => `\${wallet:${code}.points}`;
export const TIER = '${loyalty.tier}';
export const fieldOf = (name: string): string => `{{${name}}}`;
