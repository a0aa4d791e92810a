// What docs/scaling.md says of each collection: made of what the collections declare.

/** @typedef {import('@laurel/mongo').Growth} Growth */
/** @typedef {import('@laurel/mongo').CollectionIndexes} CollectionIndexes */
/** @typedef {{ service: string, collection: string, indexes: CollectionIndexes['indexes'], growth: Growth | undefined }} Grown */

export const BEGIN = '<!-- made by npm run docs from what each collection declares -->';
export const END = '<!-- end of what is made -->';

/**
 * The collections of a service, each once; those without an answer have none.
 *
 * @param {string} service
 * @param {readonly CollectionIndexes[]} declared
 * @returns {Grown[]}
 */
export function grownOf(service, declared) {
  const names = [...new Set(declared.map(({ collection }) => collection))];
  return names.map((collection) => {
    const own = declared.filter((each) => each.collection === collection);
    return {
      service,
      collection,
      indexes: own.flatMap(({ indexes }) => [...indexes]),
      growth: own.find(({ growth }) => growth !== undefined)?.growth,
    };
  });
}

/** @param {readonly Grown[]} all @returns {string} */
export function renderGrowth(all) {
  const rows = all.map(({ service, collection, growth }) => {
    if (growth === undefined) return `| ${service} | \`${collection}\` | | | | |`;
    const { per, end, shardKey, wayOut = {} } = growth;
    const key = typeof shardKey === 'string' ? shardKey : `\`${shardKey.join(', ')}\``;
    const out = Object.entries(wayOut).map(([name, way]) => `\`${name}\`: ${way}`);
    return `| ${service} | \`${collection}\` | ${per} | ${end} | ${key} | ${out.join('; ')} |`;
  });
  const head = [
    '| service | collection | a row per | ends | shard key | unique indexes that do not fit, and their way out |',
    '|---|---|---|---|---|---|',
  ];
  return [BEGIN, '', ...head, ...rows, '', END].join('\n');
}

/**
 * Puts what was made where the document says that it goes.
 *
 * @param {string} document
 * @param {string} made
 */
export function placedIn(document, made) {
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (from < 0 || to < from) throw new Error('docs/scaling.md has no place for the collections');
  return document.slice(0, from) + made + document.slice(to + END.length);
}
