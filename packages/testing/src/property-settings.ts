/** Less than a test may take, so that a failure comes with its story rather than as a timeout. */
const TIME_LIMIT_MS = 150_000;

interface PropertySettings {
  numRuns: number;
  seed: number;
  interruptAfterTimeLimit?: number;
  markInterruptAsFailure?: boolean;
}

/**
 * How often a property test runs, and from which seed: a few times from a fixed seed, so that a failure is the code's, and
 * with a bound of time; `npm run properties` sets PROPERTY_RUNS and PROPERTY_SEED, and then it runs as often as that at least.
 *
 * @param runs enough to see a fault that is planted, cheap enough for every commit
 */
export function propertySettings(runs: number, seed = 7): PropertySettings {
  const { PROPERTY_RUNS, PROPERTY_SEED } = process.env;
  const settings = { seed: Number(PROPERTY_SEED ?? seed) };
  if (PROPERTY_RUNS !== undefined)
    return { ...settings, numRuns: Math.max(runs, Number(PROPERTY_RUNS)) };
  return {
    ...settings,
    numRuns: runs,
    interruptAfterTimeLimit: TIME_LIMIT_MS,
    markInterruptAsFailure: true,
  };
}
