import type { Setting, Settings } from './setting';

/** The settings of each service, by its name. */
export type Declared = Readonly<Record<string, Settings>>;

/** The sections of docs/config.md that say what each setting is: once those that several services read, then the others by service. */
export function describeSettings(declared: Declared): string {
  const services = Object.keys(declared);
  const held = [...holdersOf(declared)];
  const shared = held
    .filter(([, names]) => names.length > 1)
    .map(([setting, names]) => [...cellsOf(setting), readersOf(services, names)]);
  const own = services.map((name): Section => {
    const settings = held.filter(([, names]) => names.length === 1 && names[0] === name);
    return [name, settings.map(([setting]) => cellsOf(setting))];
  });
  return [
    tableOf('Read by several services', shared, [...COLUMNS, 'read by']),
    ...own
      .filter(([, rows]) => rows.length > 0)
      .map(([name, rows]) => tableOf(name, rows, COLUMNS)),
  ].join('\n');
}

type Section = [title: string, rows: string[][]];
const COLUMNS = ['variable', 'default', 'meaning'];

function tableOf(title: string, rows: readonly string[][], columns: readonly string[]): string {
  const lines = [columns, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  lines.splice(1, 0, `|${'---|'.repeat(columns.length)}`);
  return `## ${title}\n\n${lines.join('\n')}\n`;
}

function cellsOf({ variable, schema, description, secret }: Setting<unknown>): string[] {
  const { flags } = schema.describe() as { flags?: { default?: unknown; presence?: string } };
  const unset = flags?.presence === 'required' ? 'must be set' : '-';
  const fallback = flags?.default === undefined ? unset : `\`${flags.default}\``;
  return [`\`${variable}\``, secret ? `${fallback} (secret)` : fallback, description];
}

function readersOf(services: readonly string[], names: readonly string[]): string {
  const others = services.filter((service) => !names.includes(service));
  if (others.length === 0) return 'all';
  return others.length === 1 ? `all but ${others[0]}` : names.join(', ');
}

/** The table of docs/config.md that says who holds a secret and how it is replaced. */
export function describeSecrets(declared: Declared): string {
  const rows = [...holdersOf(declared)]
    .filter(([{ secret }]) => secret)
    .map(
      ([{ variable, rotation }, names]) =>
        `| \`${variable}\` | ${names.join(', ')} | ${rotation} |`,
    );
  return ['| secret | held by | how it is replaced |', '|---|---|---|', ...rows].join('\n');
}

/**
 * What is declared more than once: a variable is read by the same declaration everywhere, so that it means one thing.
 *
 * @returns a line for each variable that is not
 */
export function secondDeclarations(declared: Declared): string[] {
  const holders = new Map<string, string[][]>();
  for (const [{ variable }, names] of holdersOf(declared))
    holders.set(variable, [...(holders.get(variable) ?? []), names]);
  return [...holders]
    .filter(([, each]) => each.length > 1)
    .map(
      ([variable, each]) =>
        `${variable} is declared ${each.length} times, by ${each.map((names) => names.join(', ')).join(' and by ')}; let them import one declaration`,
    );
}

function holdersOf(declared: Declared): Map<Setting<unknown>, string[]> {
  const holders = new Map<Setting<unknown>, string[]>();
  for (const [name, settings] of Object.entries(declared))
    for (const each of Object.values(settings))
      holders.set(each, [...(holders.get(each) ?? []), name]);
  return holders;
}
