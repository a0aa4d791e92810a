import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { routes } from '../routes';
import { openApiDocument } from './document';
import { EXAMPLES } from './examples';
import { operationIdOf } from './names';

interface Media {
  /** Not there where it is a file. */
  schema?: object;
  examples?: Record<string, { value: unknown }>;
}
interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}

const document = openApiDocument(routes) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
addFormats(ajv);
ajv.addSchema({ $id: 'document', components: document.components });

/** Its JSON, both ways: body, and answer where all is well. */
const jsonOf = ({ requestBody, responses }: Operation): [what: string, media: Media][] => {
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const contents = [
    ['body', requestBody?.content] as const,
    ...answers.map(([status, { content }]) => [status, content] as const),
  ];
  return contents.flatMap(([what, content]) => {
    const media = content?.['application/json'];
    return media?.schema ? [[what, media] as [string, Media]] : [];
  });
};

/** With its references in the document that Ajv knows. */
const rebased = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#'));

test('every JSON body and answer of an operation has an example', () => {
  const without = operations.flatMap((operation) =>
    jsonOf(operation)
      .filter(([, { examples }]) => Object.keys(examples ?? {}).length === 0)
      .map(([what]) => `${operation.operationId} ${what}`),
  );
  // npm run examples tells them; the story of a new operation is a line in tools/examples/chapters.
  expect(without).toEqual([]);
});

test('every example is what its schema says', () => {
  const wrong = operations.flatMap((operation) =>
    jsonOf(operation).flatMap(([what, { schema, examples = {} }]) => {
      const takes = ajv.compile(rebased(schema!));
      return Object.values(examples).flatMap(({ value }) =>
        takes(value)
          ? []
          : [`${operation.operationId} ${what}: ${ajv.errorsText(takes.errors?.slice(0, 3))}`],
      );
    }),
  );
  expect(wrong).toEqual([]);
});

const taking = routes.filter(({ body, method, rawBody }) => body && method !== 'get' && !rawBody);

test.each(taking.map((route) => [operationIdOf(route), route] as const))(
  'the example of %s is one that the platform takes',
  (id, { body }) => {
    expect(body!.validate(EXAMPLES[id]?.body, { convert: false }).error?.message).toBeUndefined();
  },
);

test('no example is left of an operation that is gone', () => {
  const known = new Set(operations.map(({ operationId }) => operationId));
  expect(Object.keys(EXAMPLES).filter((id) => !known.has(id))).toEqual([]);
});

test('no example says on which machine it was made, or shows what would open something', () => {
  const text = JSON.stringify(EXAMPLES);
  expect(text.match(/.{20}(localhost|127\.0\.0\.1|\/work\/|\/home\/)/g)).toBeNull();
  expect(text.match(/.{20}(eyJ[\w-]{10,}\.|whsec_(?!ZXhhbXBsZS1vbmx5))/g)).toBeNull();
});

test('a reader who sends the example of earn parks no points: it says nothing of when they count or end', () => {
  const earn = operations.find(({ operationId }) => operationId === 'points.earn')!;
  const { examples } = earn.requestBody!.content['application/json']!;
  const asked = Object.values(examples!).flatMap(({ value }) => Object.keys(value as object));
  expect(asked).toContain('amount');
  expect(asked.filter((field) => /pending|expir|days|_at$/.test(field))).toEqual([]);
});
