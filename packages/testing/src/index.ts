import { createLogger, type Logger } from '@laurel/lifecycle';
import { type Claimed, drain, type Job, jobNamed, type PieceJob, type Process } from '@laurel/work';

export { answerOrRefusal } from './answer-or-refusal';
export { atEveryCall, type Death, type Mortal, mortal } from './mortal';
export { propertySettings } from './property-settings';
export { takeQueues } from './queues';
export {
  type RedisCluster,
  type RedisServer,
  startRedisCluster,
  startRedisServer,
} from './redis-cluster';
export { openRotation, type Rotation, rotateInThreeRollOuts } from './rotation';
export { testServers } from './servers';
export { type TestStore, testStore } from './store';
export { type DueRows, firstClaim } from './turns';
export { underOneKey } from './under-one-key';
export { until } from './until';

/** A clock that stands still until it is moved. */
export function testClock(start = '2026-01-15T10:00:00.000Z'): {
  now(): Date;
  set(time: string | Date): void;
  advanceMs(ms: number): void;
} {
  let current = new Date(start);
  return {
    now: () => new Date(current),
    set: (time) => {
      current = new Date(time);
    },
    advanceMs: (ms) => {
      current = new Date(current.getTime() + ms);
    },
  };
}

/** Swallows what is logged. */
export const silentLogger: Logger = createLogger('test', 'silent');

/** A process that goes on. */
export const awake: Process = { isStopping: () => false };

/** Does what one job of a table does by itself, until nothing is due by its clock; says how much that was. */
export const workOffJob = (jobs: readonly Job[], name: string): Promise<number> =>
  workOff(jobNamed(jobs, name));

/** The same of one job. */
export const workOff = (job: Job): Promise<number> => drain(job, silentLogger);

/** The next row of a job, in hand and not worked on yet; undefined when none is due. */
export async function takeUp<Row>({
  due,
  leaseMs,
  clock,
}: Pick<PieceJob<Row>, 'due' | 'leaseMs' | 'clock'>): Promise<Claimed<Row> | undefined> {
  const room = { count: 1, share: 1, inHand: new Map<string, number>() };
  const [claimed] = await due.claim(room, { now: clock?.now() ?? new Date(), leaseMs });
  return claimed;
}

/** Nothing anywhere names what a service deletes. */
export const nothingReferenced = {
  find: async (): Promise<never[]> => [],
  requireUnreferenced: async (): Promise<void> => undefined,
};
export { GivenSlots } from './given-slots';
