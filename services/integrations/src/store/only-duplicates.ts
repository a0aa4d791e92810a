import { isDuplicateKey } from '@laurel/mongo';

/** Whether all that a bulk write met was there already; a bulk error carries the code of its first fault only. */
export function onlyDuplicates(error: unknown): boolean {
  if (!isDuplicateKey(error)) return false;
  const faults = (error as { writeErrors?: { code?: number }[] }).writeErrors;
  return Array.isArray(faults) && faults.every((fault) => isDuplicateKey(fault));
}
