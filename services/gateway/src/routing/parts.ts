import { Refusal } from '@laurel/errors';

/** Several services' answers that make one answer of the API; null stands for a service that does not answer. */
export type Parts<Asked extends Record<string, Promise<unknown>>> = {
  [Name in keyof Asked]: Awaited<Asked[Name]> | null;
};

/**
 * Waits for all of them. A service that is down takes its own part of the answer with it and no other, so that a page
 * shows what there is; any other refusal is the answer.
 *
 * @returns the parts, and the names of those that are missing, in order
 */
export async function partsOf<Asked extends Record<string, Promise<unknown>>>(
  asked: Asked,
): Promise<{ parts: Parts<Asked>; missing: string[] }> {
  const missing: string[] = [];
  const entries = await Promise.all(
    Object.entries(asked).map(async ([name, promise]) => {
      const part = await promise.catch((error: unknown) => {
        if (!(error instanceof Refusal) || error.httpStatus !== 503) throw error;
        missing.push(name);
        return null;
      });
      return [name, part] as const;
    }),
  );
  return { parts: Object.fromEntries(entries) as Parts<Asked>, missing: missing.sort() };
}
