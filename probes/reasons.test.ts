import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { openApiDocument } from '../services/gateway/src/openapi/document';
import { routes } from '../services/gateway/src/routes';
import { REASONS } from '../services/rewards/src/refusals';

const SERVICES = path.join(__dirname, '../services');

/** What stands as `extensions: { reason: '…' }` in the sources of the services. */
function reasonsInSources(): string[] {
  // Not from their common folder: the packages that they depend on lie beside the sources.
  const files = readdirSync(SERVICES).flatMap((service) => {
    const sources = path.join(SERVICES, service, 'src');
    return readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$/.test(file))
      .map((file) => path.join(sources, file));
  });
  return files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/extensions: \{ reason: '(\w+)'/g)].map(
      (match) => match[1]!,
    ),
  );
}

test('every word for the case of a refusal is in the document, and none that nobody says', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the schema of errors is looked into from the outside
  const document = openApiDocument(routes) as any;
  const { extensions } = document.components.schemas.Error.properties.errors.items.properties;
  const said = new Set([...reasonsInSources(), ...Object.keys(REASONS)]);
  expect(extensions.properties.reason['x-extensible-enum']).toEqual([...said].sort());
});
