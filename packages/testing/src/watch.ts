import type { Connection } from '@laurel/mongo';

/** What leaves every collection as it was. */
const READS = new Set([
  'abortTransaction',
  'commitTransaction',
  'count',
  'distinct',
  'endSessions',
  'find',
  'getMore',
  'killCursors',
  'listCollections',
  'listIndexes',
  'ping',
]);
/** What changes documents, and no collection or index. */
const WRITES = new Set(['delete', 'findAndModify', 'insert', 'update']);
const WRITING_STAGES = ['$merge', '$out'];

type Command = Record<string, unknown> & { lsid?: { id: object }; autocommit?: boolean };

/** A command as the driver tells of it. */
interface Sent {
  commandName: string;
  databaseName: string;
  requestId: number;
  command: Command;
}

/** Notes what was sent to a database on the connections of its test. */
export class Watch {
  /** Collections whose documents were changed, whatever came of it. */
  readonly changed = new Set<string>();
  /** How many commands there were, but for those that end a connection. */
  sent = 0;
  private readonly underWay = new Set<number>();
  private readonly transactions = new Set<string>();
  private isKnown = true;

  /** Whether nothing is under way, and only documents of known collections were changed. */
  get isOver(): boolean {
    return this.isKnown && this.underWay.size === 0 && this.transactions.size === 0;
  }

  follow(connection: Connection): void {
    const ended = ({ requestId }: Pick<Sent, 'requestId'>) => this.underWay.delete(requestId);
    connection
      .getClient()
      .on('commandStarted', (sent) => this.note(sent as unknown as Sent, connection.name))
      .on('commandSucceeded', ended)
      .on('commandFailed', ended);
  }

  /** The database was shown to others, whose connections are not followed. */
  loseSight(): void {
    this.isKnown = false;
  }

  private note({ commandName, databaseName, requestId, command }: Sent, database: string): void {
    this.underWay.add(requestId);
    if (commandName !== 'endSessions') this.sent += 1;
    this.noteTransaction(commandName, command);
    if (isRead(commandName, command)) return;
    const target = command[commandName];
    if (WRITES.has(commandName) && databaseName === database) this.changed.add(target as string);
    else this.loseSight();
  }

  private noteTransaction(name: string, { autocommit, lsid }: Command): void {
    if (autocommit !== false) return;
    const session = JSON.stringify(lsid);
    if (name === 'commitTransaction' || name === 'abortTransaction')
      this.transactions.delete(session);
    else this.transactions.add(session);
  }
}

function isRead(name: string, { pipeline }: Command): boolean {
  if (name !== 'aggregate') return READS.has(name);
  const last = (pipeline as object[]).at(-1) ?? {};
  return !WRITING_STAGES.some((stage) => stage in last);
}
