import type { Setting, Settings } from './setting';

/** The settings of each service, by its name. */
export type Declared = Readonly<Record<string, Settings>>;

/** The table rows of docs/config.md for one service. */
export function describeSettings(settings: Settings): string {
  const rows = Object.values(settings).map(({ variable, schema, description, secret }) => {
    const { flags } = schema.describe() as { flags?: { default?: unknown; presence?: string } };
    const fallback =
      flags?.default === undefined
        ? flags?.presence === 'required'
          ? 'must be set'
          : '-'
        : `\`${flags.default}\``;
    return `| \`${variable}\` | ${secret ? `${fallback} (secret)` : fallback} | ${description} |`;
  });
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
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
