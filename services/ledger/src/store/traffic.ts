import { createFlight } from './flight';
import { createLanes, type Lane, type Lanes, type Task } from './lanes';
import type { FlightParts } from './log-parts';
import { flyPair, type PairTask } from './pair-flight';

const FLIGHTS_MAX = 2;

/**
 * Lets what is queued go in together: starts at once when idle, gathers while writes are in flight. One entry each of
 * many wallets is one unordered insert, the queue of one hot wallet one ordered insert.
 */
export function createTraffic(parts: FlightParts) {
  const lanes = createLanes();
  const pairs: PairTask[] = [];
  const flight = createFlight(parts);
  let flights = 0;
  let waking = false;

  /** Starts what can start once everything that came in together is queued. */
  function wake(): void {
    if (waking) return;
    waking = true;
    setImmediate(() => {
      waking = false;
      pump();
    });
  }

  function pump(): void {
    const { starting, reserved } = takeFreePairs(pairs, lanes);
    for (const { pair, both } of starting) void flyBoth(pair, both);
    while (flights < FLIGHTS_MAX) {
      const group = lanes.next(reserved);
      if (group.length === 0) return;
      void fly(group);
    }
  }

  async function fly(group: Lane[]): Promise<void> {
    flights += 1;
    lanes.take(group);
    await flight(group);
    flights -= 1;
    for (const lane of group) lanes.land(lane, pump);
    pump();
  }

  async function flyBoth(pair: PairTask, both: readonly Lane[]): Promise<void> {
    await flyPair(parts, pair);
    for (const lane of both) {
      lane.failures = 0;
      lanes.land(lane, pump);
    }
    pump();
  }

  return {
    queue(task: Task): void {
      lanes.queue(task);
      wake();
    },

    queuePair(pair: PairTask): void {
      pairs.push(pair);
      wake();
    },
  };
}

/** Takes out the pairs whose wallets are both free, oldest first; `reserved` are the wallets that later ones wait for, too. */
function takeFreePairs(pairs: PairTask[], lanes: Lanes) {
  const reserved = new Set<string>();
  const starting: { pair: PairTask; both: Lane[] }[] = [];
  for (const pair of [...pairs]) {
    const both = pair.commands.map((command) => lanes.of(command.wallet));
    const free = both.every((lane) => !lane.busy && !reserved.has(lane.ref.id));
    for (const lane of both) reserved.add(lane.ref.id);
    if (!free) continue;
    pairs.splice(pairs.indexOf(pair), 1);
    lanes.take(both);
    starting.push({ pair, both });
  }
  return { starting, reserved };
}
