import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Told {
  body?: unknown;
  answer?: unknown;
}

const FOLDER = path.join(__dirname, 'told');

/**
 * What the story of a coffee shop sent to each operation and was answered, by operation id. `npm run examples` tells it
 * and writes the files; they are written by hand only where no platform can answer alone.
 */
export const TOLD: Readonly<Record<string, Told>> = Object.assign(
  {},
  ...readdirSync(FOLDER).map((file) => JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'))),
);

/** The example of a media type, as the document has it; nothing where the story tells none. */
export const examplesOf = (value: unknown): { examples?: object } =>
  value === undefined
    ? {}
    : { examples: { coffeeShop: { summary: 'Roasted, a coffee shop', value } } };
