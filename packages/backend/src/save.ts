import { type DumpCount, dumpDatabases, namesOfDatabases } from '@laurel/mongo';

/**
 * Saves all databases of one moment, once each service is seen to have one. An account that opens the database of one
 * service is shown no other: what it saved would look whole.
 *
 * @param services names of those that keep something; none where whatever is there is wanted
 * @throws when nothing was saved
 */
export async function saveDatabases(
  { uri, prefix }: { uri: string; prefix: string },
  services: readonly string[],
  folder: string,
): Promise<DumpCount> {
  const there = new Set(await namesOfDatabases(uri));
  const missing = services.map((name) => `${prefix}${name}`).filter((name) => !there.has(name));
  if (missing.length > 0)
    throw new Error(
      `nothing was saved: there is no ${missing.join(', ')}, or the account of MONGODB_URI may not read it; it must open every database that begins with ${prefix}`,
    );
  return dumpDatabases(uri, prefix, folder);
}
