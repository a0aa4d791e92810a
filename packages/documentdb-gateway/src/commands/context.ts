import type { Statement } from '../engine/connection';
import type { Parameter } from '../engine/protocol';
import type { Cursors } from '../session/cursors';
import type { Run, Transaction } from '../session/transaction';
import type { Command } from '../wire/command';

/** What a command handler works with. */
export interface Context {
  run: Run;
  /** The multi-document transaction the command is part of. */
  transaction: Transaction | null;
  /** Ends the transaction after a reply that reports failed writes. */
  doom(): void;
  /** Runs outside of the transaction, on a connection of its own. */
  aside: Run;
  cursors: Cursors;
}

/** Answers a command with a whole reply document. Errors are thrown. */
export type Handler = (command: Command, context: Context) => Promise<Uint8Array>;

/** Runs one prepared statement and returns its first row. */
export async function firstRow(run: Run, statement: Statement): Promise<(Buffer | null)[]> {
  const [rows] = await run([statement]);
  return rows?.[0] ?? [];
}

/** @returns the handler of a command that the engine answers with one document */
export function passThrough(
  name: string,
  sql: string,
  parameters: (command: Command) => readonly Parameter[],
): Handler {
  return async (command, { run }) => {
    const [reply] = await firstRow(run, { name, sql, parameters: parameters(command) });
    if (!reply) throw new Error(`The engine gave no answer to ${command.name}`);
    return reply;
  };
}
