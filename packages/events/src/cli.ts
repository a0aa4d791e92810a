import { listParked, redrive } from './parking/parking';

const USAGE = `usage:
  events parked                    what is parked, where and why
  events redrive <queue> [limit]   put parked events back into their queue`;

/** Whose parked events are meant, and where is said what became of them. */
interface Meant {
  /** The broker, with its account. */
  url: string;
  print: (line: string) => void;
  /** Whose consumers are meant where several platforms share a broker. */
  exchange?: string;
}

/** `parked`, or `redrive <queue> [limit]`; returns the exit status. Rejects when the broker refuses. */
export async function run(
  [command, queue, limit]: readonly string[],
  { url, print, exchange }: Meant,
): Promise<number> {
  if (command === 'parked') return printParked(url, print, exchange);
  if (command === 'redrive' && queue && isLimit(limit)) {
    const moved = await redrive(url, queue, limit === undefined ? undefined : Number(limit));
    print(`${moved} put back into ${queue}`);
    return 0;
  }
  print(USAGE);
  return 2;
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
    for (const { parkedAt, type, eventId, reason, attempts, error } of oldest) {
      print(
        `  ${parkedAt ?? '-'}  ${type ?? '-'}  ${eventId ?? '-'}  ${reason} after ${attempts}: ${error ?? '-'}`,
      );
    }
    if (count > oldest.length) print(`  ... and ${count - oldest.length} more`);
  }
  return 0;
}

function isLimit(limit: string | undefined): boolean {
  return limit === undefined || /^[1-9]\d*$/.test(limit);
}
