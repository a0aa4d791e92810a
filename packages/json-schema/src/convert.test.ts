import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import Joi from 'joi';
import { patternOf, toJsonSchema } from '.';

const gathering = () => ({ components: {}, conflicts: new Set<string>() });

/** Whether the converted schema takes each of the values. */
function takes(schema: Joi.Schema, ...values: unknown[]): boolean[] {
  const gathered = gathering();
  const ajv = new Ajv({ strict: false });
  addFormats(ajv);
  const json = toJsonSchema(schema, 'request', gathered);
  const validate = ajv.compile({ ...json, components: { schemas: gathered.components } });
  return values.map((value) => {
    const isTaken = validate(value);
    // Every case here is one on which joi agrees.
    expect(isTaken).toBe(schema.validate(value, { convert: false }).error === undefined);
    return isTaken;
  });
}

test('an object without keys takes any, one with keys no others, and an answer may grow', () => {
  expect(takes(Joi.object(), {}, { a: 1 }, [])).toEqual([true, true, false]);
  expect(takes(Joi.object({ a: Joi.number() }), { a: 1 }, { b: 1 })).toEqual([true, false]);
  expect(toJsonSchema(Joi.object({ a: Joi.number() }), 'answer')).toEqual({
    type: 'object',
    properties: { a: { type: 'number' } },
  });
});

test('a condition on a sibling holds on both its sides', () => {
  const schema = Joi.object({
    kind: Joi.string().valid('fixed', 'formula').required(),
    amount: Joi.number().when('kind', {
      is: 'fixed',
      // biome-ignore lint/suspicious/noThenProperty: joi's word for the branch
      then: Joi.required(),
      otherwise: Joi.forbidden(),
    }),
  });
  expect(
    takes(schema, { kind: 'fixed', amount: 1 }, { kind: 'fixed' }, { kind: 'formula', amount: 1 }),
  ).toEqual([true, false, false]);
  expect(takes(schema, { kind: 'formula' })).toEqual([true]);
});

test('a switch has a case for each value, and one for the rest', () => {
  const schema = Joi.object({
    kind: Joi.string(),
    value: Joi.any().when('kind', {
      switch: [
        // biome-ignore lint/suspicious/noThenProperty: joi's word for the branch
        { is: 'text', then: Joi.string().required() },
        // biome-ignore lint/suspicious/noThenProperty: joi's word for the branch
        { is: 'number', then: Joi.number() },
      ],
      otherwise: Joi.forbidden(),
    }),
  });
  const taken = takes(
    schema,
    { kind: 'text', value: 'a' },
    { kind: 'text' },
    { kind: 'number', value: 'a' },
    { kind: 'number' },
    { value: 1 },
    {},
  );
  expect(taken).toEqual([true, false, false, true, false, true]);
});

test('forms are chosen by their member', () => {
  const form = (members: Joi.PartialSchemaMap) => Joi.object({ type: Joi.string(), ...members });
  const schema = Joi.alternatives()
    .conditional('.type', {
      switch: [
        // biome-ignore lint/suspicious/noThenProperty: joi's word for the branch
        { is: 'a', then: form({ one: Joi.number().required() }) },
        // biome-ignore lint/suspicious/noThenProperty: joi's word for the branch
        { is: 'b_c', then: form({ two: Joi.number().required() }) },
      ],
      otherwise: Joi.forbidden(),
    })
    .meta({ forms: 'Form' });
  expect(
    takes(schema, { type: 'a', one: 1 }, { type: 'a', two: 1 }, { type: 'b_c', two: 1 }),
  ).toEqual([true, false, true]);
  expect(toJsonSchema(schema, 'request')).toMatchObject({
    discriminator: {
      propertyName: 'type',
      mapping: { a: '#/components/schemas/FormA', b_c: '#/components/schemas/FormBC' },
    },
  });
});

test('null is a word of the place, never of a component', () => {
  const named = Joi.object({ a: Joi.number() }).meta({ name: 'Named' });
  const gathered = gathering();
  const schema = toJsonSchema(
    Joi.object({ here: named, there: named.allow(null) }),
    'answer',
    gathered,
  );
  expect(schema.properties).toEqual({
    here: { $ref: '#/components/schemas/Named' },
    there: { anyOf: [{ $ref: '#/components/schemas/Named' }, { type: 'null' }] },
  });
  expect(takes(Joi.alternatives(Joi.string(), Joi.number()).allow(null), null, 'a', true)).toEqual([
    true,
    true,
    false,
  ]);
});

test('the second shape of a name is written out, and reported', () => {
  const named = Joi.object({ a: Joi.number() }).meta({ name: 'Named' });
  const gathered = gathering();
  const both = Joi.object({ one: named, other: named.keys({ b: Joi.number() }) });
  const { properties } = toJsonSchema(both, 'answer', gathered);
  expect(properties?.other).toMatchObject({ type: 'object' });
  expect([...gathered.conflicts]).toEqual(['Named']);
});

test('members that need or exclude each other do so', () => {
  const two = Joi.object({ a: Joi.number(), b: Joi.number() });
  const values = [{}, { a: 1 }, { a: 1, b: 1 }];
  expect(takes(two.or('a', 'b'), ...values)).toEqual([false, true, true]);
  expect(takes(two.xor('a', 'b'), ...values)).toEqual([false, true, false]);
  expect(takes(two.oxor('a', 'b'), ...values)).toEqual([true, true, false]);
  expect(takes(two.and('a', 'b'), ...values)).toEqual([true, false, true]);
  expect(takes(two.nand('a', 'b'), ...values)).toEqual([true, true, false]);
  expect(takes(two.with('a', 'b'), ...values)).toEqual([true, false, true]);
  expect(takes(two.without('a', 'b'), ...values)).toEqual([true, true, false]);
});

test('bounds, lists and texts are held', () => {
  expect(takes(Joi.number().greater(0).max(2), 0, 1, 3)).toEqual([false, true, false]);
  expect(takes(Joi.string(), '', 'a')).toEqual([false, true]);
  expect(takes(Joi.string().allow(''), '', 'a')).toEqual([true, true]);
  expect(takes(Joi.array().items(Joi.number().required()).max(2), [], [1], [1, 2, 3])).toEqual([
    false,
    true,
    false,
  ]);
  expect(takes(Joi.array().items(Joi.number()).single(), 1, [1], 'a')).toEqual([true, true, false]);
});

test('an address of a few schemes is no other, and both sentences of a schema are read', () => {
  const web = Joi.string().uri({ scheme: ['http', 'https'] });
  expect(
    takes(
      web,
      'https://a.example/b',
      'http://a',
      'ftp://a.example',
      'javascript:alert(1)',
      'https://',
    ),
  ).toEqual([true, true, false, false, false]);
  const whole = Joi.number().meta({ request: { description: 'Whole.' } });
  expect(toJsonSchema(whole, 'request').description).toBe('Whole.');
  expect(toJsonSchema(whole.description('Of cakes.'), 'request').description).toBe(
    'Of cakes. Whole.',
  );
  expect(toJsonSchema(whole.description('Of cakes.'), 'answer').description).toBe('Of cakes.');
});

test('a pattern says in letters what its flags said', () => {
  expect(patternOf('/^a[b-d]\\d$/i')).toBe('^[aA][b-dB-D]\\d$');
  expect(() => patternOf('/a/s')).toThrow('no pattern');
});

test('what has no counterpart is no guess', () => {
  expect(() => toJsonSchema(Joi.date(), 'answer')).toThrow("no JSON Schema for joi's date");
});
