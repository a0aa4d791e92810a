// The cost table for people.

/** Less than this of one kind is left out of the lists. */
const NAMED_FROM = 0.01;
const CPU_NAMED_FROM_MS = 0.02;

/** @param {number} value */
const rounded = (value) => (value >= 10 ? value.toFixed(1) : value.toFixed(2));

/** @param {Map<string, number>} figures @param {number} from */
const listed = (figures, from) =>
  [...figures]
    .filter(([, value]) => value >= from)
    .sort(([, a], [, b]) => b - a)
    .map(([name, value]) => `${name} ${rounded(value)}`)
    .join(', ');

/** @param {Map<string, number>} figures */
const sumOf = (figures) => [...figures.values()].reduce((sum, value) => sum + value, 0);

/** @param {string} key */
const serviceOf = (key) => (key.split(' ')[0] ?? '').replace(/^.*laurel_/, '');

/** @param {import('./run.mjs').CostRow} row @param {'commands' | 'written' | 'read'} figure */
function byService({ operations, used }, figure) {
  /** @type {Map<string, number>} */
  const figures = new Map();
  for (const [key, count] of used.store) {
    const service = serviceOf(key);
    figures.set(service, (figures.get(service) ?? 0) + count[figure] / operations);
  }
  return figures;
}

/** @param {import('./run.mjs').CostRow[]} rows */
export function renderCosts(rows) {
  const lines = rows.map((row) => {
    const { name, operations, used } = row;
    const [commands, written, read] = [
      byService(row, 'commands'),
      byService(row, 'written'),
      byService(row, 'read'),
    ];
    const cpu = new Map(
      Object.entries(used.cpu).map(([process, seconds]) => [
        process,
        (seconds * 1_000) / operations,
      ]),
    );
    return [
      name,
      `**${rounded(sumOf(commands))}**: ${listed(commands, NAMED_FROM)}`,
      `**${rounded(sumOf(written))}**: ${listed(written, NAMED_FROM)}`,
      rounded(sumOf(read)),
      `${rounded(used.published / operations)} / ${rounded(used.delivered / operations)}`,
      `**${rounded(sumOf(cpu))}**: ${listed(cpu, CPU_NAMED_FROM_MS)}`,
    ];
  });
  return [
    '| per operation | store commands | documents written | read | messages published / delivered | CPU ms |',
    '| --- | --- | --- | --: | --: | --- |',
    ...lines.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');
}

/** @param {import('./run.mjs').CostRow[]} rows */
export const renderCommands = (rows) =>
  rows
    .map(({ name, operations, used }) => {
      const commands = [...used.store]
        .map(([key, { commands, written }]) => ({ key, commands, written }))
        .filter(({ commands }) => commands / operations >= NAMED_FROM / 2)
        .sort((one, other) => other.commands - one.commands)
        .map(
          ({ key, commands, written }) =>
            `${(commands / operations).toFixed(3).padStart(8)} ${(written / operations).toFixed(2).padStart(7)}  ${key}`,
        );
      return [`${name}: commands, documents written`, ...commands].join('\n');
    })
    .join('\n\n');
