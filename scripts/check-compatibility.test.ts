import { breaches, fieldsOf, surfaceOf } from './check-compatibility.mjs';

const object = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };
const documents = (sent: object, answered: object, event: object = object({})) =>
  surfaceOf(
    {
      paths: {
        '/things': {
          post: {
            requestBody: { content: { 'application/json': { schema: sent } } },
            responses: { 201: { content: { 'application/json': { schema: answered } } } },
          },
        },
      },
    },
    { components: { schemas: { ThingMade: event } } },
  );
const before = documents(
  object({ name: text, note: text }, ['name']),
  object({ data: object({ id: text, tags: { type: 'array', items: text } }) }),
  object({ thing_id: text }, ['thing_id']),
);

test('a document that only grew breaks no caller', () => {
  const after = documents(
    object({ name: text, note: text, more: object({ deep: text }, ['deep']) }, []),
    object({ data: object({ id: text, tags: { type: 'array', items: text }, more: text }) }),
    object({ thing_id: text, extra: text }, ['thing_id']),
  );
  expect(breaches(before, after)).toEqual([]);
});

test('a field that is gone, of another type, or newly demanded is named', () => {
  const after = documents(
    object({ name: text, note: text }, ['name', 'note']),
    object({ data: object({ id: { type: 'integer' } }) }),
    object({ thing_id: text }),
  );
  expect(breaches(before, after)).toEqual([
    'no longer: POST /things answers data.id string',
    'no longer: POST /things answers data.tags array',
    'no longer: POST /things answers data.tags[] string',
    'no longer: event ThingMade thing_id required',
    'newly demanded: POST /things takes note required',
  ]);
});

test('an operation that is gone is named, a new one may demand what it likes', () => {
  const gone = surfaceOf({ paths: {} }, { components: { schemas: {} } });
  expect(breaches(before, gone)).toContain('no longer: POST /things');
  expect(breaches(gone, before)).toEqual([]);
});

test('schemas that hold themselves come to an end', () => {
  const node: Record<string, unknown> = object({ id: text, child: { $ref: '#/node' } });
  expect(fieldsOf(node, () => node)).toContain('child.child.id string');
});
