import { setTimeout as pause } from 'node:timers/promises';
import { Failed } from '../failures';
import { note } from '../output';
import { startProgress } from '../progress';
import type { GlobalOptions } from '../session';
import type { Terminal } from '../terminal';

const LOOK_MS = 300;

interface Watched<Row> {
  /** What it is said to be doing, such as `copying`. */
  doing: string;
  isOver: (row: Row) => boolean;
  /** How much of it is done, and how much there is. */
  progressOf: (row: Row) => [number, number];
  read: (row: Row) => Promise<Row>;
  /** The command that looks at it again. */
  lookAgain: (row: Row) => string;
  options: GlobalOptions;
}

/** Shows how far something has come that goes on by itself, until it is over or somebody interrupts the looking. */
export async function watch<Row>(
  terminal: Terminal,
  begun: Row,
  { doing, isOver, progressOf, read, lookAgain, options }: Watched<Row>,
): Promise<Row> {
  const progress = startProgress(terminal, doing);
  let row = begun;
  const goesOn = () => `it goes on by itself; look again: ${lookAgain(row)}`;
  try {
    while (!isOver(row)) {
      if (terminal.interrupted.aborted) throw new Failed(goesOn());
      progress.show(...progressOf(row));
      await pause(LOOK_MS);
      row = await read(row).catch((error) => {
        note(terminal, options, { data: { look_again: lookAgain(row) }, line: goesOn() });
        throw error;
      });
    }
  } finally {
    progress.end();
  }
  return row;
}
