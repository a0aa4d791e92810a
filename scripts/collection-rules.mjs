// A collection says whose it is (docs/adr/0030): it is declared, and its service removes, moves and shows what it declares.

/**
 * A source and where it stands below the root.
 *
 * @typedef {{ file: string, source: string }} Source
 */

const IN_SERVICE = /^services\/[^/]+\/src\/(?!testing\/)(?!.*\.test\.ts$)/;
const DECLARED = /^export const (\w+) = (?:collection|keptDays)[<(]/gm;
const OPENED = /\.collection[<(]/g;
const BY_HAND = /'by hand: (use-cases\/[^']+)'/g;

/**
 * What a service opens without declaring it, what is declared and not in its service's list, and answers that name a use
 * case which is not there.
 *
 * @param {readonly Source[]} sources
 * @returns {string[]} one line each
 */
export function collectionViolations(sources) {
  const files = new Set(sources.map(({ file }) => file));
  const sourceOf = new Map(sources.map(({ file, source }) => [file, source]));
  return sources.flatMap(({ file, source }) => {
    if (!IN_SERVICE.test(file)) return [];
    const src = file.split('/').slice(0, 3).join('/');
    const list = sourceOf.get(`${src}/collections.ts`) ?? '';
    const unlisted = [...source.matchAll(DECLARED)]
      .map(([, name = '']) => name)
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(list))
      .map(
        (name) =>
          `${file}: ${name} is not in ${src}/collections.ts: nobody would remove what it holds`,
      );
    const missing = [...source.matchAll(BY_HAND)]
      .map(([, useCase = '']) => `${src}/${useCase}`)
      .filter((useCase) => !files.has(useCase))
      .map((useCase) => `${file}: says that ${useCase} sees to it, which is not there`);
    const opened = [...source.matchAll(OPENED)].map(
      () =>
        `${file}: opens a collection by its name; declare it with collection() of @laurel/mongo`,
    );
    const partial =
      file === `${src}/collections.ts` && !source.includes('...ofEveryService')
        ? [`${file}: leaves out ofEveryService: who is erased would stay in what was told of them`]
        : [];
    return [...unlisted, ...missing, ...opened, ...partial];
  });
}
