/** What met so many faults of its own is given up. */
export const FAULTS_MAX = 8;
/** A service that is away is back soon: how long to wait for it. */
export const AWAY_MS = 5_000;

const RETRY_MS = 500;
const RETRY_MS_MAX = 30 * 60_000;

/** How long to wait before another try after so many faults. */
export const retryMs = (faults: number): number => Math.min(RETRY_MS * 4 ** faults, RETRY_MS_MAX);
