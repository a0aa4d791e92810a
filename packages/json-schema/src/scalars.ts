import { type Described, type Direction, type JsonSchema, valuesOf } from './described';

type Rules = Record<string, Record<string, unknown>>;

const FORMATS: Record<string, string> = {
  guid: 'uuid',
  email: 'email',
  uri: 'uri',
  isoDate: 'date-time',
};

export function rulesOf({ rules = [] }: Described): Rules {
  return Object.fromEntries(rules.map(({ name, args }) => [name, args ?? {}]));
}

/** Joi refuses the empty text unless it is allowed; an answer makes no such promise. */
export function stringSchema(node: Described, direction: Direction): JsonSchema {
  const rules = rulesOf(node);
  const allowed = valuesOf(node.allow).filter((value) => value !== null);
  const schema: JsonSchema = { type: 'string' };
  const format = Object.keys(FORMATS).find((rule) => rules[rule]);
  if (format) schema.format = FORMATS[format];
  else if (!allowed.includes('') && direction !== 'answer') schema.minLength = 1;
  if (rules.min) schema.minLength = rules.min.limit;
  if (rules.max) schema.maxLength = rules.max.limit;
  if (rules.length) schema.minLength = schema.maxLength = rules.length.limit;
  if (rules.hex) schema.pattern = '^[a-fA-F0-9]+$';
  if (rules.base64) schema.contentEncoding = 'base64';
  Object.assign(schema, schemesOf(rules), patternsOf(node));
  const others = allowed.filter((value) => value !== '' || !takesEmpty(schema));
  return others.length === 0 ? schema : { anyOf: [schema, { type: 'string', enum: others }] };
}

/** An address of a few schemes has a host behind them; any other is left to its format. */
function schemesOf({ uri }: Rules): JsonSchema {
  const { scheme } = (uri?.options ?? {}) as { scheme?: readonly string[] };
  return scheme === undefined ? {} : { pattern: `^(${scheme.join('|')})://[^/?#]` };
}

function takesEmpty({ minLength, format, pattern }: JsonSchema): boolean {
  return !minLength && format === undefined && (!pattern || new RegExp(String(pattern)).test(''));
}

function patternsOf({ rules = [] }: Described): JsonSchema {
  const conditions = rules
    .filter(({ name }) => name === 'pattern')
    .map(({ args = {} }): JsonSchema => {
      const pattern = patternOf(String(args.regex));
      const { invert } = (args.options ?? {}) as { invert?: boolean };
      return invert ? { not: { type: 'string', pattern } } : { pattern };
    });
  return conditions.length < 2 ? (conditions[0] ?? {}) : { allOf: conditions };
}

/**
 * The source of `/…/flags` as JSON Schema takes it, which knows no flags: letters of either case are spelt out.
 *
 * @throws where a flag cannot be said
 */
export function patternOf(regex: string): string {
  const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(regex) ?? [];
  if (!/^[iu]*$/.test(flags)) throw new Error(`JSON Schema has no pattern for ${regex}`);
  return flags.includes('i') ? eitherCase(source) : source;
}

function eitherCase(source: string): string {
  return source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[:=!]|[a-zA-Z]/g, (part) => {
    if (part.startsWith('\\') || part.startsWith('(')) return part;
    if (!part.startsWith('[')) return `[${part.toLowerCase()}${part.toUpperCase()}]`;
    return part.replace(/\\.|[a-zA-Z]-[a-zA-Z]|[a-zA-Z]/g, (piece) =>
      piece.startsWith('\\') ? piece : piece.toLowerCase() + piece.toUpperCase(),
    );
  });
}

export function numberSchema(node: Described): JsonSchema {
  const { integer, min, max, greater, less, multiple } = rulesOf(node);
  const schema: JsonSchema = { type: integer ? 'integer' : 'number' };
  if (min) schema.minimum = min.limit;
  if (max) schema.maximum = max.limit;
  if (greater) {
    schema.exclusiveMinimum = greater.limit;
    if (Number(schema.minimum) <= Number(greater.limit)) delete schema.minimum;
  }
  if (less) {
    schema.exclusiveMaximum = less.limit;
    if (Number(schema.maximum) >= Number(less.limit)) delete schema.maximum;
  }
  if (multiple) schema.multipleOf = multiple.base;
  return schema;
}
