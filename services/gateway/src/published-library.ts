import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * A file of a library as it was published. Licences ask to go wherever the code goes, and such files bear no comment of
 * theirs: they stand before it.
 *
 * @param folder the package whose dependency the library is
 * @param file beside what the library's name resolves to
 * @param names the libraries that are in the file, its own first
 */
export function readLibrary(
  folder: string,
  file: string,
  names: readonly [string, ...string[]],
): Buffer {
  const { resolve } = createRequire(path.join(folder, 'package.json'));
  const beside = (name: string, wanted: string): Buffer =>
    readFileSync(path.join(path.dirname(resolve(name)), wanted));
  const licences = names.map(
    (name) => `/*!\n${name}\n\n${beside(name, '../LICENSE').toString('utf8').trim()}\n*/\n`,
  );
  return Buffer.concat([Buffer.from(licences.join('')), beside(names[0], file)]);
}
