import { routes } from '../routes';
import { openApiDocument } from './document';
import { operationIdOf } from './names';
import { TAGS } from './tags';

const gathered = { components: {}, conflicts: new Set<string>() };
const document = openApiDocument(routes, gathered) as {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
};
interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}
type Schema = Record<string, unknown> & {
  $ref?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
};

test('a name of a component is that of one shape', () => {
  // Whatever is made of a named schema by `.keys()` needs a name of its own: `.meta({ name })`.
  expect([...gathered.conflicts]).toEqual([]);
});

test('every row of an answer that has an id is a component with a name', () => {
  const unnamed = Object.values(document.paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap(({ operationId, responses }) =>
      Object.values(responses).flatMap(({ content }) => {
        const { data } = content?.['application/json']?.schema?.properties ?? {};
        const row = data?.items ?? data;
        return row?.properties?.id ? [operationId] : [];
      }),
    );
  expect(unnamed).toEqual([]);
});

test('every operation says more than its summary', () => {
  const repeating = routes.filter(
    ({ summary, description }) => description.startsWith(summary) || description.length < 30,
  );
  expect(repeating.map(operationIdOf)).toEqual([]);
});

test('the document sends its readers to no file that is not served, and has the codes in it', () => {
  expect(JSON.stringify(document)).not.toMatch(/\bdocs\/\w+\.md\b/);
  expect(JSON.stringify(document.components.schemas.Error)).toContain('"CONFLICT"');
});

test('every group of operations says what it is for', () => {
  const names = document.tags.map(({ name }) => name);
  // A new one, and one that is gone, is a line of tags.ts.
  expect(names.filter((name) => TAGS[name] === undefined)).toEqual([]);
  expect(Object.keys(TAGS).filter((name) => !names.includes(name))).toEqual([]);
});

test('the document says the same each time it is made', () => {
  expect(JSON.stringify(openApiDocument(routes))).toBe(JSON.stringify(document));
});
