// The operations of an OpenAPI document, as the probes go through them.

/** @typedef {Record<string, any>} Schema */
/**
 * @typedef {object} Operation
 * @property {string} id `POST :ws/rewards/{id}/coupons/import`: how tables name it
 * @property {string} method in capitals
 * @property {string} path with `{parameters}`
 * @property {'none' | 'bearer' | 'mobile' | 'portal'} door the credential it takes
 * @property {{ name: string, schema: Schema }[]} params of the path
 * @property {{ name: string, required: boolean, schema: Schema }[]} query
 * @property {Schema | undefined} body
 * @property {boolean} changes whether it may change anything
 */

const WORKSPACE = '/service-api/workspace/{workspaceId}';

/**
 * How the tests and tables name an operation: `:ws` stands for a workspace, `!` for the root.
 *
 * @param {string} method
 * @param {string} path as express or OpenAPI writes it
 */
export function operationId(method, path) {
  const braced = path.replace(/:(\w+)/g, '{$1}');
  const verb = method.toUpperCase();
  if (braced.startsWith(WORKSPACE)) return `${verb} :ws${braced.slice(WORKSPACE.length)}`;
  if (braced.startsWith('/service-api/')) return `${verb} ${braced.slice('/service-api'.length)}`;
  return `${verb} !${braced}`;
}

/**
 * @param {any} document
 * @returns {Operation[]}
 */
export function operationsOf(document) {
  return Object.entries(written(document.paths, document.components)).flatMap(([path, methods]) =>
    Object.entries(/** @type {Record<string, any>} */ (methods)).map(([method, operation]) =>
      operationOf(method, path, operation),
    ),
  );
}

/**
 * The same with everything written out where it is referred to: probes look at schemas from the inside.
 *
 * @param {any} value
 * @param {any} components
 * @returns {any}
 */
function written(value, components) {
  if (Array.isArray(value)) return value.map((one) => written(one, components));
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.$ref === 'string') {
    const [kind, name] = value.$ref.replace('#/components/', '').split('/');
    return written(components[kind][name], components);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, written(inner, components)]),
  );
}

/**
 * @param {string} method
 * @param {string} path
 * @param {any} operation
 * @returns {Operation}
 */
function operationOf(method, path, { parameters = [], security = [], requestBody }) {
  const within = (/** @type {string} */ place) =>
    parameters.filter((/** @type {any} */ parameter) => parameter.in === place);
  return {
    id: operationId(method, path),
    method: method.toUpperCase(),
    path,
    door: /** @type {Operation['door']} */ (Object.keys(security[0] ?? { none: [] })[0]),
    params: within('path'),
    query: within('query'),
    body: requestBody?.content?.['application/json']?.schema,
    changes: method !== 'get',
  };
}
