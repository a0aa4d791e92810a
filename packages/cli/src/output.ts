import { harmless, inOneLine } from './harmless';
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

/** Says beside that what else is worth knowing: with --json it is a line of JSON, as a refusal is. */
export function note(
  terminal: Terminal,
  { json }: GlobalOptions,
  { data, line }: { data: object; line: string },
): void {
  terminal.err(`${json ? JSON.stringify({ note: data }) : harmless(line)}\n`);
}

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
