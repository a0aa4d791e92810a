import { mayFail } from './may-fail';
import { within } from './within';

/** Half of what a caller has time for as a rule: who asks behind a read whose answer is lost is answered in time. */
const SILENT_MS_MAX = 5_000;

/**
 * Resolves when a read has ended, however it did, or has been waited for so long that its answer may never come: those who
 * wait for the one after it must not wait for ever.
 */
export async function endedOrSilent(read: Promise<unknown> | undefined): Promise<void> {
  if (read === undefined) return;
  await within<unknown>(SILENT_MS_MAX, read.catch(mayFail('its callers hear of it')), () => null);
}
