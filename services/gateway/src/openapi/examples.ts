import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Example {
  body?: unknown;
  answer?: unknown;
}

const FOLDER = path.join(__dirname, 'examples');

/**
 * What the story of a coffee shop sent to each operation and was answered, by operation id. `npm run examples` plays it
 * and writes the files; `by-hand.json` has the two operations in which Google has a part.
 */
export const EXAMPLES: Readonly<Record<string, Example>> = Object.assign(
  {},
  ...readdirSync(FOLDER).map((file) => JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'))),
);

/** The example of a media type, as the document has it; nothing where the story tells none. */
export const examplesOf = (value: unknown): { examples?: object } =>
  value === undefined
    ? {}
    : { examples: { coffeeShop: { summary: 'Roasted, a coffee shop', value } } };
