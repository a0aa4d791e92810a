import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { reasonsBetweenServices } from '../../scripts/trace-reasons.mjs';
import { openApiDocument } from '../../services/gateway/src/openapi/document';
import { routes } from '../../services/gateway/src/routes';
import { REASONS } from '../../services/rewards/src/refusals';

const SERVICES = path.join(__dirname, '../../services');

/** The names in the catalogues of the services, as reasons are spelled; those of rewards say in a table of their own why none is to be had. */
function reasonsInCatalogues(): string[] {
  // Not from their common folder: the packages that they depend on lie beside the sources.
  return readdirSync(SERVICES).flatMap((service) => {
    const sources = path.join(SERVICES, service, 'src');
    if (!readdirSync(sources).includes('refusals.ts')) return [];
    const text = readFileSync(path.join(sources, 'refusals.ts'), 'utf8').split('catalogue({')[1]!;
    const names = [...text.matchAll(/^ {2}(?:\.{3})?(\w+)(?:: |,)/gm)].map(([, name]) => name!);
    return names.flatMap((name) =>
      name === 'notToBeHad'
        ? Object.keys(REASONS)
        : [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)],
    );
  });
}

test('every word for the case of a refusal is in the document, but those that only services hear of each other, and none that no refusal says', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the schema of errors is looked into from the outside
  const document = openApiDocument(routes) as any;
  const { extensions } = document.components.schemas.Error.properties.errors.items.properties;
  const shown: string[] = extensions.properties.reason['x-extensible-enum'];
  const elsewhere = ['changed_meanwhile', 'origin_not_allowed'];
  const unheard = reasonsBetweenServices().filter((reason) => !shown.includes(reason));
  expect(unheard).toContain('pass_of_another');
  const said = new Set([...reasonsInCatalogues(), ...elsewhere]);
  expect([...shown, ...unheard].sort()).toEqual([...said].sort());
});

test('an operation names its own reasons, those of its status only', () => {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const { paths } = openApiDocument(routes) as any;
  const { responses } = paths['/service-api/workspace/{workspaceId}/loyalty/points/spend'].post;
  const reasonsOf = (status: number) =>
    responses[status].content['application/json'].schema.allOf[1].properties.errors.items.properties
      .extensions.properties.reason['x-extensible-enum'];
  expect(reasonsOf(400)).toContain('insufficient_balance');
  expect(reasonsOf(409)).toEqual(['other_amount']);
  expect(responses[403].$ref).toBe('#/components/responses/Error403');
});
