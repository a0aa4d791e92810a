/** An operation as the form needs it. */
export interface Operation {
  method: string;
  path: string;
  /** What stands in the path and the query, the workspace first where there is one. */
  parameters: Parameter[];
  /** The example of its JSON body; null where it takes none. */
  body: object | null;
  /** Whether it can be asked what it would do. */
  hasDryRun: boolean;
  /** Whether a repeat under the same key is harmless. */
  isKeyed: boolean;
  door: Door;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  isRequired: boolean;
}

/** Who may call it: `open` everybody, `page` no one by hand, since a cookie goes along. */
export type Door = 'bearer' | 'portal' | 'mobile' | 'open' | 'page';

type Schema = Record<string, unknown>;

interface Said {
  operationId: string;
  parameters?: (Schema & { $ref?: string })[];
  requestBody?: {
    content: Record<string, { schema: Schema; examples?: Record<string, { value: object }> }>;
  };
  security?: Record<string, unknown>[];
}

/** What is read of the API document. */
export interface ApiDocument {
  paths: Record<string, Record<string, Said>>;
  components: { parameters: Record<string, Schema>; schemas: Record<string, Schema> };
}

/** @returns null where it cannot be called from here: it is not there, or wants a file */
export function findOperation({ paths, components }: ApiDocument, id: string): Operation | null {
  for (const [path, methods] of Object.entries(paths))
    for (const [method, said] of Object.entries(methods)) {
      if (said.operationId !== id) continue;
      const content = said.requestBody?.content;
      const json = content?.['application/json'];
      if (content && !json) return null;
      const all = (said.parameters ?? []).map((one) =>
        one.$ref ? components.parameters[nameIn(one.$ref)]! : one,
      );
      return {
        method: method.toUpperCase(),
        path,
        parameters: all.flatMap(parameterOf),
        body: json ? (Object.values(json.examples ?? {})[0]?.value ?? {}) : null,
        hasDryRun: 'dry_run' in propertiesOf(json?.schema, components.schemas),
        isKeyed: all.some(({ name }) => name === 'Idempotency-Key'),
        door: (Object.keys(said.security?.[0] ?? { open: [] })[0] ?? 'open') as Door,
      };
    }
  return null;
}

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

function parameterOf({ name, in: place, required }: Schema): Parameter[] {
  // Whatever else a query may have has no name to fill in.
  if ((place !== 'path' && place !== 'query') || name === 'others') return [];
  return [{ name: String(name), in: place, isRequired: required === true }];
}

function propertiesOf(schema: Schema = {}, schemas: Record<string, Schema>): object {
  const named = schema.$ref ? schemas[nameIn(String(schema.$ref))] : schema;
  return (named?.properties ?? {}) as object;
}
