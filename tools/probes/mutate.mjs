// Spoils one thing of a valid request. The same seed spoils the same things in the same order.
import { BODIES, HEADERS, hostileJson, LISTS, NUMBERS, POISON, SHAPES, TEXTS } from './hostile.mjs';
import { wireOf } from './requests.mjs';

/** @typedef {import('./operations.mjs').Operation} Operation */
/** @typedef {import('./operations.mjs').Schema} Schema */
/** @typedef {import('./requests.mjs').Request} Request */
/** @typedef {import('../lib/raw-http.mjs').Wire} Wire */
/** @typedef {import('../lib/random.mjs').Random} Random */
/** @typedef {{ what: string, wire: Wire }} Input */
/** @typedef {(operation: Operation, request: Request, random: Random) => Input | null} Mutation null where it does not fit */

const BODY_BYTES_OVER = 1024 * 1024 + 1;

/** @param {Random} random @param {Schema | undefined} schema @returns {[string, unknown]} */
function hostileValue(random, schema) {
  const edges = edgesOf(schema);
  if (edges.length > 0 && random.chance(0.25)) return ['edge', random.pick(edges)];
  const kind = random.weighted(likelyKinds(schema));
  const pool = { text: TEXTS, number: NUMBERS, shape: SHAPES, poison: POISON, list: LISTS }[kind];
  return [kind, random.pick(/** @type {readonly unknown[]} */ (pool))];
}

/** What passes the first check gets further: mostly values of the right type. @param {Schema | undefined} schema */
function likelyKinds(schema) {
  const types = [schema?.type].flat();
  if (types.includes('array')) return { list: 6, shape: 3, text: 1, number: 1, poison: 0 };
  if (types.includes('string')) return { poison: 4, text: 5, shape: 1, number: 1, list: 0 };
  if (types.includes('number') || types.includes('integer'))
    return { number: 6, text: 1, shape: 1, poison: 1, list: 0 };
  return { text: 3, number: 2, shape: 3, poison: 2, list: 1 };
}

/** What lies on and just beyond the bounds of a schema. @param {Schema | undefined} schema @returns {unknown[]} */
function edgesOf(schema) {
  if (!schema) return [];
  const { minimum, maximum, maxLength, maxItems, enum: values, type } = schema;
  const longest = Math.min(maxLength ?? 0, 100_000);
  return [
    ...[minimum, maximum].filter((bound) => bound !== undefined).flatMap((n) => [n, n - 1, n + 1]),
    ...(longest > 0
      ? ['y'.repeat(longest), 'y'.repeat(longest + 1), '\u{1F600}'.repeat(longest / 2)]
      : []),
    ...(maxItems ? [Array.from({ length: Math.min(maxItems + 1, 20_000) }, () => null)] : []),
    ...(values ? [String(values[0]).toUpperCase(), [values[0]]] : []),
    ...([type].flat().includes('string') ? ['2026-01-31T10:00:00Z', '1'] : []),
  ];
}

/** Every place of a body: those that are filled, and those that its schema knows. @param {any} body @param {Schema | undefined} schema @param {string[]} [above] @returns {{ path: string[], schema: Schema | undefined }[]} */
export function placesIn(body, schema, above = []) {
  const names = new Set([
    ...Object.keys(schema?.properties ?? {}),
    ...(typeof body === 'object' && body !== null ? Object.keys(body) : []),
    ...(schema?.items?.properties ? ['0'] : []),
  ]);
  return [...names].flatMap((name) => {
    const path = [...above, name];
    const inner = schema?.properties?.[name] ?? schema?.items;
    const value = body?.[name];
    return [{ path, schema: inner }, ...(above.length < 4 ? placesIn(value, inner, path) : [])];
  });
}

/** @param {any} body @param {readonly string[]} path @param {(holder: any, name: string) => void} change */
export function changed(body, path, change) {
  const copy = structuredClone(body ?? {});
  let holder = copy;
  for (const [index, name] of path.slice(0, -1).entries()) {
    if (typeof holder[name] !== 'object' || holder[name] === null)
      holder[name] = /^\d+$/.test(path[index + 1] ?? '') ? [] : {};
    holder = holder[name];
  }
  change(holder, path.at(-1) ?? '');
  return copy;
}

/** @param {Operation} operation @param {Request} request @param {any} body */
const withBody = (operation, request, body) => ({
  ...wireOf(operation, { ...request, body: {} }),
  body: hostileJson(body),
});

/** @type {Record<string, Mutation>} */
const MUTATIONS = {
  field(operation, request, random) {
    const places = placesIn(request.body, operation.body);
    if (places.length === 0 || request.content) return null;
    const { path, schema } = random.pick(places);
    const [kind, value] = hostileValue(random, schema);
    const body = changed(request.body, path, (holder, name) => {
      holder[name] = value;
    });
    return { what: `${path.join('.')}: ${kind}`, wire: withBody(operation, request, body) };
  },
  missing(operation, request, random) {
    const places = placesIn(request.body, undefined);
    if (places.length === 0) return null;
    const { path } = random.pick(places);
    const body = changed(request.body, path, (holder, name) => {
      if (Array.isArray(holder)) holder.splice(Number(name), 1);
      else delete holder[name];
    });
    return { what: `without ${path.join('.')}`, wire: withBody(operation, request, body) };
  },
  unknown(operation, request, random) {
    if (request.content || !operation.changes) return null;
    const name = random.pick([
      '__proto__',
      'constructor',
      '$where',
      'role',
      'workspace_id',
      'a.b',
      '',
      '\u0000',
    ]);
    const body = JSON.parse(JSON.stringify(request.body ?? {}));
    Object.defineProperty(body, name, { value: random.pick(SHAPES), enumerable: true });
    return { what: `unknown ${JSON.stringify(name)}`, wire: withBody(operation, request, body) };
  },
  body(operation, request, random) {
    if (!operation.changes) return null;
    const body = random.pick(BODIES);
    const wire = wireOf(operation, { ...request, content: Buffer.from(body) });
    const headers = { 'Content-Type': 'application/json', ...wire.headers };
    return {
      what: `body ${body.toString().slice(0, 20)}`,
      wire: { ...wire, headers, body, chunked: random.chance(0.3) },
    };
  },
  oversized(operation, request, random) {
    if (!operation.changes) return null;
    const wire = wireOf(operation, { ...request, body: {} });
    const fill = random.pick(['x', '0,', '{"a":']);
    const body = fill.repeat(Math.ceil(BODY_BYTES_OVER / fill.length));
    return { what: `oversized ${fill}`, wire: { ...wire, body, chunked: random.chance(0.5) } };
  },
  query(operation, request, random) {
    const known = operation.query.length > 0 && random.chance(0.8);
    const { name, schema } = known
      ? random.pick(operation.query)
      : {
          name: random.pick(['limit', 'cursor', 'limit[$gt]', '__proto__', 'a\u0000', 'search']),
          schema: undefined,
        };
    const [kind, value] = hostileValue(random, schema);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const query = { ...request.query, [name]: text.slice(0, 6_000).replace(/@@/g, '') };
    const wire = wireOf(operation, { ...request, query });
    return { what: `?${name}: ${kind}`, wire };
  },
  repeated(operation, request, random) {
    if (operation.query.length === 0) return null;
    const { name } = random.pick(operation.query);
    const values = Array.from({ length: random.pick([2, 300]) }, () =>
      random.pick(TEXTS).slice(0, 20),
    );
    const query = { ...request.query, [name]: values };
    return { what: `?${name} repeated`, wire: wireOf(operation, { ...request, query }) };
  },
  path(operation, request, random) {
    if (operation.params.length === 0) return null;
    const { name } = random.pick(operation.params);
    const value = random
      .pick(TEXTS)
      .slice(0, 3_000)
      .replace(/[\ud800-\udfff]/gu, '');
    const wire = wireOf(operation, { ...request, params: { ...request.params, [name]: value } });
    return { what: `path ${name}`, wire };
  },
  rawPath(operation, request, random) {
    const wire = wireOf(operation, request);
    const tail = random.pick([
      '%',
      '%ff',
      '%00',
      '%2e%2e%2f',
      '//',
      '/./',
      ';a=b',
      '/..',
      '?',
      '?%',
      '?a[b]=%ff',
      '?__proto__[a]=1',
      '?=&&=',
      '#',
    ]);
    return { what: `path ${tail}`, wire: { ...wire, path: wire.path + tail } };
  },
  header(operation, request, random) {
    const [name, value] = random.pick(HEADERS);
    const wire = wireOf(operation, request);
    const others = Object.entries(wire.headers).filter(
      ([known]) => known.toLowerCase() !== name.toLowerCase(),
    );
    const headers = { ...Object.fromEntries(others), [name]: value };
    return { what: `${name}: ${value.slice(0, 30)}`, wire: { ...wire, headers } };
  },
  upload(operation, request, random) {
    if (!request.content) return null;
    const { content } = request;
    const at = random.int(0, content.length - 1);
    const [what, spoilt] = random.pick([
      ['cut', content.subarray(0, at)],
      [
        'flipped',
        Buffer.concat([content.subarray(0, at), Buffer.from([255]), content.subarray(at + 1)]),
      ],
      ['doubled', Buffer.concat([content, content])],
      ['parts', Buffer.concat([manyParts(request), content])],
    ]);
    const wire = wireOf(operation, { ...request, content: spoilt });
    return { what: `upload ${what}`, wire: { ...wire, chunked: random.chance(0.3) } };
  },
  chunked(operation, request) {
    const wire = wireOf(operation, request);
    return wire.body === undefined ? null : { what: 'chunked', wire: { ...wire, chunked: true } };
  },
};

const WEIGHTS = {
  field: 30,
  missing: 5,
  unknown: 3,
  body: 4,
  oversized: 1,
  query: 12,
  repeated: 2,
  path: 6,
  rawPath: 2,
  header: 6,
  upload: 12,
  chunked: 1,
};

/** A thousand fields before the file. @param {Request} request */
function manyParts({ headers }) {
  const boundary = /boundary=(.+)$/.exec(headers['Content-Type'] ?? '')?.[1] ?? 'x';
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'v'.repeat(100)}\r\n`;
  return Buffer.from(part.repeat(1_000));
}

/**
 * What has to be tried at every place, whatever chance says: a null character in each text, nothing in each list, a
 * number that is none. In an order of chance, so that few inputs reach different places of different operations.
 *
 * @param {Operation} operation
 * @param {Request} request
 * @param {Random} random
 * @returns {((request: Request) => Input)[]} for fresh valid requests
 */
export function sweepOf(operation, request, random) {
  const inQuery = operation.query.flatMap(({ name, schema }) =>
    surestOf(schema).map((value) => (/** @type {Request} */ valid) => ({
      what: `sweep ?${name}: ${JSON.stringify(value)}`,
      wire: wireOf(operation, {
        ...valid,
        query: { ...valid.query, [name]: String(value).replace(/@@/g, '') },
      }),
    })),
  );
  const places = request.content ? [] : placesIn(request.body, operation.body);
  const inBody = places.flatMap(({ path, schema }) =>
    surestOf(schema).map((value) => (/** @type {Request} */ valid) => {
      const body = changed(valid.body, path, (holder, name) => {
        holder[name] = value;
      });
      const what = `sweep ${path.join('.')}: ${JSON.stringify(value).slice(0, 40)}`;
      return { what, wire: withBody(operation, valid, body) };
    }),
  );
  return random.shuffled([...inQuery, ...inBody]);
}

/** @param {Schema | undefined} schema @returns {unknown[]} */
function surestOf(schema) {
  const types = [schema?.type].flat();
  if (types.includes('array')) return [[null, null, null], ['a\u0000b']];
  if (types.includes('string')) return ['a\u0000b', 'a\ud800b'];
  if (types.includes('number') || types.includes('integer')) return ['@@1e400@@', 1e308];
  if (types.includes('object')) return [JSON.parse('{"__proto__":{"a":1}}'), { a: 'a\u0000b' }];
  return ['a\u0000b', [null]];
}

/**
 * @param {Operation} operation
 * @param {Request} request valid, with its credential
 * @param {Random} random
 * @returns {Input}
 */
export function spoil(operation, request, random) {
  for (;;) {
    const kind = random.weighted(WEIGHTS);
    const input = MUTATIONS[kind]?.(operation, request, random);
    if (input) return { ...input, what: `${kind} ${input.what}` };
  }
}
