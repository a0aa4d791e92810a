import { discard } from './parking/discard';
import { listParked, type ParkedMessage, redrive } from './parking/parking';
import { retire } from './parking/retire';

const USAGE = `usage:
  events parked                    what is parked, where and why
  events redrive <queue> [limit]   put parked events back into their queue
  events discard <queue> <reason> [limit]
                                   throw away what is parked for a reason, as \`parked\` says it
  events retire <queue>            delete a queue that no service consumes, with what is in it and parked`;

/** Whose parked events are meant, and where is said what became of them. */
interface Meant {
  /** The broker, with its account. */
  url: string;
  print: (line: string) => void;
  /** Whose consumers are meant where several platforms share a broker. */
  exchange?: string;
}

/**
 * `parked`, `redrive <queue> [limit]`, `discard <queue> <reason> [limit]` or `retire <queue>`; returns the exit status. Rejects
 * when the broker refuses.
 */
export async function run(
  [command, queue, ...more]: readonly string[],
  { url, print, exchange }: Meant,
): Promise<number> {
  if (command === 'parked') return printParked(url, print, exchange);
  const [reason] = more;
  const limit = limitOf(command === 'discard' ? more[1] : more[0]);
  if (command === 'redrive' && queue && limit !== null) {
    const moved = await redrive(url, queue, limit);
    print(`${moved} put back into ${queue}`);
    return 0;
  }
  if (command === 'discard' && queue && reason && limit !== null) {
    const tell = (message: ParkedMessage) => print(lineOf(message));
    const count = await discard(url, queue, { reason, limit, tell });
    print(`${count} thrown away of ${queue}`);
    return 0;
  }
  if (command === 'retire' && queue && more.length === 0) return printRetired(url, queue, print);
  print(USAGE);
  return 2;
}

async function printRetired(
  url: string,
  queue: string,
  print: (line: string) => void,
): Promise<number> {
  const { outcome, waiting, parked } = await retire(url, queue);
  const said = {
    deleted: `${queue} was deleted, with ${waiting} events that waited and ${parked} that were parked`,
    consumed: `${queue} is consumed: stop what reads it first`,
    unknown: `there is no queue ${queue}`,
  };
  print(said[outcome]);
  return outcome === 'deleted' ? 0 : 1;
}

async function printParked(
  url: string,
  print: (line: string) => void,
  exchange?: string,
): Promise<number> {
  const parked = await listParked(url, exchange);
  if (parked.length === 0) print('nothing is parked');
  for (const { queue, count, oldest } of parked) {
    print(`${queue}: ${count} parked`);
    for (const message of oldest) print(lineOf(message));
    if (count > oldest.length) print(`  ... and ${count - oldest.length} more`);
  }
  return 0;
}

const lineOf = ({ parkedAt, type, eventId, reason, attempts, error }: ParkedMessage): string =>
  `  ${parkedAt ?? '-'}  ${type ?? '-'}  ${eventId ?? '-'}  ${reason} after ${attempts}: ${error ?? '-'}`;

/** undefined where none is given, null where it is no number. */
function limitOf(given: string | undefined): number | undefined | null {
  if (given === undefined) return undefined;
  return /^[1-9]\d*$/.test(given) ? Number(given) : null;
}
