import Ajv, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

/** An answer as it came over the wire. */
export interface Answer {
  method: string;
  /** Without the query. */
  path: string;
  status: number;
  headers: Headers;
  body: unknown;
  text: string;
}

type Json = Record<string, unknown>;
interface Response {
  $ref?: string;
  content?: Record<string, { schema?: Json }>;
}
interface Operation {
  operationId: string;
  responses: Record<string, Response>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: Json & { responses?: Record<string, Response> };
}
interface Place {
  pattern: RegExp;
  method: string;
  operation: Operation;
}

/** Compares answers with the document of the platform that gave them. */
export interface Contract {
  /** What the answer says that the document does not, or null where they agree. */
  deviation(answer: Answer): string | null;
}

/** @param url of the gateway under test, which serves its own document */
export async function contractOf(url: string): Promise<Contract> {
  const response = await fetch(new URL('/openapi.json', url));
  return createContract((await response.json()) as Document);
}

/**
 * Answers may grow, so the document leaves them open. Here they are held to what it says and nothing more: a member that
 * it does not name is a member without a document.
 */
export function createContract(document: Document): Contract {
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  addFormats(ajv);
  // Open to everybody else; here a reason that no operation names is one without a document.
  ajv.addKeyword({
    keyword: 'x-extensible-enum',
    type: 'string',
    validate: (known: string[], word: string) => known.includes(word),
  });
  ajv.addSchema({ $id: 'document', components: closed(document.components) });
  const places = placesOf(document);
  const validators = new Map<object, ValidateFunction>();

  function validatorOf(schema: Json): ValidateFunction {
    const known = validators.get(schema) ?? ajv.compile(closed(schema) as Json);
    validators.set(schema, known);
    return known;
  }

  return {
    deviation({ method, path, status, headers, body, text }) {
      const operation = places.find(
        (place) => place.method === method.toLowerCase() && place.pattern.test(path),
      )?.operation;
      if (!operation) return null;
      const said = operation.responses[status] ?? operation.responses.default;
      if (!said) return `${status} is no answer of ${operation.operationId}: ${text.slice(0, 200)}`;
      const { content } = said.$ref
        ? document.components.responses![said.$ref.split('/').at(-1)!]!
        : said;
      const type = (headers.get('content-type') ?? '').split(';')[0]!;
      if (!content) return text === '' ? null : `${status} has a body: ${text.slice(0, 200)}`;
      if (text === '' && type === '') return `${status} has no body`;
      const media = content[type];
      if (!media) return `${status} is ${type}, not ${Object.keys(content).join(' or ')}`;
      if (type !== 'application/json' || !media.schema) return null;
      const validate = validatorOf(media.schema);
      if (validate(body)) return null;
      return `${status}: ${ajv.errorsText(validate.errors?.slice(0, 5), { dataVar: 'body' })}`;
    },
  };
}

/** Literal paths before those with parameters: `/clients/search` is no client. */
function placesOf(document: Document): Place[] {
  return Object.entries(document.paths)
    .sort(([one], [other]) => (literal(one) < literal(other) ? -1 : 1))
    .flatMap(([path, operations]) => {
      const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
      return Object.entries(operations).map(([method, operation]) => ({
        pattern,
        method,
        operation,
      }));
    });
}

const literal = (path: string) => path.replace(/\{\w+\}/g, '\uffff');

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const node = Object.fromEntries(
    // What stands beside a schema narrows it, and need not name all of its members.
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'allOf' ? rebased(inner) : closed(inner),
    ]),
  ) as Json;
  if (typeof node.$ref === 'string') return rebased(node);
  const isObject = [node.type].flat().includes('object') && typeof node.properties === 'object';
  return isObject && node.additionalProperties === undefined
    ? { ...node, additionalProperties: false }
    : node;
}

/** With its references in the document that Ajv knows. */
function rebased(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"$ref":"#', '"$ref":"document#'));
}
