import type { Gathered } from '@laurel/json-schema';
import type { Route } from '../routing';
import { operationOf } from './operation';
import { HEADERS, PARAMETERS, SCHEMAS, SECURITY_SCHEMES } from './parts';
import { refusalResponses } from './responses';
import { TAGS } from './tags';
import { webhooksOf } from './webhooks';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of a route table: paths, forms and answers come from the same rows that serve them. */
export function openApiDocument(
  routes: readonly Route[],
  gathered: Gathered = { components: {}, conflicts: new Set() },
): object {
  const paths = pathsOf(routes, gathered);
  const webhooks = webhooksOf(gathered);
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Laurel',
      version: '1.0.0',
      summary: 'Loyalty programmes and wallet passes',
      description:
        'Success bodies are `{ data }`, lists add `meta`; errors carry a code and mostly a reason, both listed in the schema Error; those of webhooks and integrations (IntegrationError) and of the portal (PortalError) have forms of their own. Answers may grow by new members; ignore those you do not know. Lengths of texts count UTF-16 units, so that most emojis are two; no text holds U+0000 or half of a surrogate pair.',
      contact: { name: 'Laurel' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The platform that serves this document.' }],
    tags: tagsOf(routes),
    paths,
    webhooks,
  };
  const { components, left } = componentsFor(document, gathered);
  if (left.length > 0) throw new Error(`the document refers to ${left.join(', ')}`);
  return { ...document, components };
}

function pathsOf(routes: readonly Route[], gathered: Gathered): Record<string, Json> {
  const paths: Record<string, Json> = {};
  const sorted = [...routes].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  for (const route of sorted) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operationOf(route, gathered) };
  }
  return paths;
}

function tagsOf(routes: readonly Route[]): Json[] {
  const names = [...new Set(routes.map(({ tag }) => tag))].sort();
  return names.map((name) => ({ name, description: TAGS[name] ?? `${name}.` }));
}

/** The components that something refers to, in alphabetical order, and the references that lead nowhere. */
function componentsFor(
  document: object,
  { components }: Gathered,
): { components: Json; left: string[] } {
  const known: Record<string, Record<string, unknown>> = {
    schemas: { ...components, ...SCHEMAS },
    parameters: PARAMETERS,
    headers: HEADERS,
    responses: refusalResponses(),
  };
  const used = new Set<string>();
  const left: string[] = [];
  const follow = (value: unknown): void => {
    for (const name of referencesIn(value)) {
      if (used.has(name)) continue;
      used.add(name);
      const [kind = '', key = ''] = name.split('/');
      const component = known[kind]?.[key];
      if (component === undefined) left.push(name);
      else follow(component);
    }
  };
  follow(document);
  const kept = Object.entries(known).map(([kind, those]) => [
    kind,
    Object.fromEntries(
      Object.entries(those)
        .filter(([key]) => used.has(`${kind}/${key}`))
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
  ]);
  return { components: { ...Object.fromEntries(kept), securitySchemes: SECURITY_SCHEMES }, left };
}

function referencesIn(value: unknown): string[] {
  const found = JSON.stringify(value).matchAll(/"#\/components\/([^"]+)"/g);
  return [...found].map(([, name]) => name!);
}
