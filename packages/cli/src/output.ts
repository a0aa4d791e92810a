import type { GlobalOptions } from './session';
import type { Terminal } from './terminal';

/** Says what a command has to say: as data with --json, else as lines for people. */
export function say(
  terminal: Terminal,
  { json }: GlobalOptions,
  { data, lines }: { data: unknown; lines: readonly string[] },
): void {
  terminal.out(
    json ? `${JSON.stringify(data)}\n` : lines.map((line) => `${harmless(line)}\n`).join(''),
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text as a terminal may show it. Names and words come from forms that anybody fills in, and from files that wait for a
 * review: what would move the cursor, colour what follows or turn its direction is written out instead of done.
 */
export const harmless = (text: string): string =>
  text.replace(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same for what must not look like more lines than one. */
export const inOneLine = (text: string): string => harmless(text.replaceAll('\n', '\\n'));

/** Rows below their heads, in columns; numbers stand to the right. */
export function table(heads: readonly string[], rows: readonly (readonly unknown[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => inOneLine(String(cell ?? ''))));
  const isNumber = heads.map((_, index) => rows.every((row) => typeof row[index] === 'number'));
  const widths = heads.map((head, index) =>
    Math.max(head.length, ...cells.map((row) => row[index]!.length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) =>
        isNumber[index] ? cell.padStart(widths[index]!) : cell.padEnd(widths[index]!),
      )
      .join('  ')
      .trimEnd();
  return [heads, ...cells].map(line);
}
