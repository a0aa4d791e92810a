// Which refusals an operation may answer with: followed through what is built, from the handler of each route over the
// rpcs it calls to the catalogues. tsc writes one import per line and names it wherever it is used, so text is enough.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from '../deploy/local/lib/paths.mjs';
import { serviceNames } from '../deploy/local/lib/workspace.mjs';
import { builtFilesBelow, moduleOf, partsIn, sourceOf } from './built-code.mjs';

const load = createRequire(import.meta.url);
const SERVICES = path.join(ROOT, 'services');
const STAFF_APP = path.join(SERVICES, 'passes/dist/use-cases/mobile');
const PROTOS = path.join(ROOT, 'protos');
/** What asks in the name of a caller, and the words that it does so with. */
const ASKING = [
  path.join(SERVICES, 'gateway/dist'),
  STAFF_APP,
  path.join(ROOT, 'packages/contract/dist'),
];

/** @typedef {Map<string, number>} Reasons by their status */
/** @typedef {import('./built-code.mjs').Place} Place */

const METHOD = /^( {4,8})(?:async )?([a-z]\w+)\([^\n]*\) \{\n[\s\S]*?^\1\}/gm;
const ARROW =
  /^( {4,8})([a-z]\w+): (?:async )?(?:\([^\n]*\)|\w+) =>[\s\S]*?(?=^ {4,8}\S|^ {4}\}|^\})/gm;
const WITHOUT_FIELD =
  /^(?:async )?function \w+\((.*)\) \{\n +if \((\w+) === undefined\)\s+return\b/m;
/** What every array, map, text or promise has: calling it says nothing about a store. */
const BUILT_IN = new Set(
  [Array, Map, Set, String, Promise].flatMap((kind) => Object.getOwnPropertyNames(kind.prototype)),
);

const BY_PASSWORD = ['auth.createSession', 'auth.login', 'user.updateMe'];
const BY_PROVIDER = [...BY_PASSWORD, 'auth.loginWithSso'];
const MOVING_POINTS = [
  'points.adjust',
  'points.earn',
  'points.spend',
  'points.transfer',
  'staffApp.executeAction',
];

/**
 * What stands where text does not lead: in a function that is handed to another one, or in a method whose name several
 * things have.
 *
 * @type {Record<string, { status: number, operations: readonly string[] }>}
 */
const OUT_OF_SIGHT = {
  bad_identity_token: { status: 401, operations: BY_PROVIDER },
  // Of the client whose code is asked for, as the service of clients says it.
  client_not_found: { status: 404, operations: ['referrals.getForClient'] },
  out_of_range: { status: 400, operations: MOVING_POINTS },
  sign_on_off: { status: 503, operations: BY_PROVIDER },
  sign_on_unreachable: { status: 503, operations: BY_PROVIDER },
  slug_taken: { status: 409, operations: ['workspaces.create', 'workspaces.update'] },
  too_many_failures: {
    status: 429,
    operations: [...BY_PASSWORD, 'staffApp.createSession', 'staffApp.pair'],
  },
  unverified_address: { status: 401, operations: BY_PROVIDER },
};

/**
 * What an operation hears from a service and says in words of its own.
 *
 * @type {Record<string, readonly string[]>}
 */
const SAID_OTHERWISE = {
  'staffApp.createOperationUndo': ['event_not_found'],
  'staffAppConfig.getActivity': ['mobile_user_not_found'],
};

/** The catalogue of a service: the status behind each reason. @param {string} service @returns {Reasons} */
function catalogueOf(service) {
  const file = path.join(SERVICES, service, 'dist/refusals.js');
  const { refusals = {} } = existsSync(file) ? load(file) : {};
  return new Map(
    Object.entries(refusals).map(([name, { definition }]) => [name, definition.httpStatus]),
  );
}

/** @param {string} service @returns {Map<string, Place>} the row of each rpc in the tables of a service */
function handlersOf(service) {
  const tables = builtFilesBelow(path.join(SERVICES, service, 'dist')).filter((file) =>
    /^(?:rpc|part)\.js$/.test(path.basename(file)),
  );
  return new Map(
    tables.flatMap((file) =>
      [...sourceOf(file).matchAll(/^ +([A-Z]\w+): [\s\S]*?(?=^ +[A-Z]|^ *\})/gm)].map(
        ([text, name = '']) => /** @type {[string, Place]} */ ([name, { file, text }]),
      ),
    ),
  );
}

/**
 * What does not stand at the top level of a file: the methods of stores, which are called by name, mostly on something
 * that has the name of their file.
 *
 * @param {string} service
 * @returns {(Place & { name: string, owner: string })[]}
 */
function methodsOf(service) {
  return builtFilesBelow(path.join(SERVICES, service, 'dist')).flatMap((file) =>
    [METHOD, ARROW]
      .flatMap((form) => [...sourceOf(file).matchAll(form)])

      .map(([text, , name = '']) => {
        const owner = path
          .basename(file, '.js')
          .replace(/-\w/g, (two) => two.slice(1).toUpperCase());
        return { file, text, name, owner };
      }),
  );
}

/**
 * The field of its request without which a function does nothing; null where there is none.
 *
 * @param {string} text
 */
export function fieldNeeded(text) {
  const [, parameters = '', name] = WITHOUT_FIELD.exec(text) ?? [];
  const field = name && new RegExp(`\\b(?:(\\w+): )?${name}\\b`).exec(parameters);
  return field ? (field[1] ?? name) : null;
}

/** The fields of requests that services give each other alone. @returns {Set<string>} */
function fieldsBetweenServices() {
  const said = new Set(
    ASKING.flatMap(builtFilesBelow).flatMap((file) => sourceOf(file).match(/\w+/g) ?? []),
  );
  const fields = readdirSync(PROTOS).flatMap((file) => {
    const text = readFileSync(path.join(PROTOS, file), 'utf8');
    return [...text.matchAll(/^ *optional [\w.]+ (\w+) = /gm)].map(([, name = '']) => name);
  });
  return new Set(fields.filter((name) => !said.has(name)));
}

/**
 * The reasons behind fields that services give each other alone. Operations may give some of them for another cause.
 *
 * @returns {string[]}
 */
export function reasonsBetweenServices() {
  const fields = fieldsBetweenServices();
  const places = serviceNames()
    .flatMap((name) => builtFilesBelow(path.join(SERVICES, name, 'dist')))
    .flatMap((file) => [...moduleOf(file).parts.values()])
    .filter((text) => isBehind(fields, text));
  return [...new Set(places.flatMap(refusalsIn).map(snakeCase))];
}

/** @param {Set<string>} fields @param {string} text */
const isBehind = (fields, text) => fields.has(fieldNeeded(text) ?? '');

/** @param {string} text @returns {string[]} */
const refusalsIn = (text) => [...text.matchAll(/\brefusals\.(\w+)/g)].map(([, name = '']) => name);

/** Everything that may be reached, and what it may refuse. */
class Trace {
  constructor() {
    this.fieldsBetweenServices = fieldsBetweenServices();
    this.catalogues = new Map(serviceNames().map((name) => [name, catalogueOf(name)]));
    this.handlers = new Map(serviceNames().map((name) => [name, handlersOf(name)]));
    const { REASONS } = load(path.join(SERVICES, 'rewards/dist/refusals.js'));
    this.methods = new Map(serviceNames().map((name) => [name, methodsOf(name)]));
    /** @type {string[]} why a reward is not to be had, by which it is refused */
    this.reasonsOfRewards = Object.keys(REASONS);
  }

  /**
   * @param {Place} place
   * @param {Set<string>} [seen]
   * @param {Reasons} [found]
   * @returns {Reasons}
   */
  from({ file, text }, seen = new Set(), found = new Map()) {
    if (isBehind(this.fieldsBetweenServices, text)) return found;
    this.#collect(file, text, found);
    for (const next of this.#reachedFrom(file, text)) {
      const key = `${next.file} ${next.text}`;
      if (seen.has(key)) continue;
      seen.add(key);
      this.from(next, seen, found);
    }
    return found;
  }

  /** @param {string} file @param {string} text @param {Reasons} found */
  #collect(file, text, found) {
    const catalogue = this.catalogues.get(serviceOf(file));
    const anyReason = /\brefusals\[reason\]/.test(text) ? this.reasonsOfRewards : [];
    for (const name of [...refusalsIn(text), ...anyReason]) {
      const status = catalogue?.get(name);
      if (status !== undefined) found.set(snakeCase(name), status);
    }
  }

  /** @param {string} file @param {string} text @returns {Place[]} */
  #reachedFrom(file, text) {
    const service = serviceOf(file);
    // What a service asks of another it answers for in its own words; what a route asks is passed on as it is, and so is
    // what the staff app has done in its name.
    const passesOn = service === 'gateway' || file.startsWith(STAFF_APP);
    const rpcs = passesOn
      ? [...text.matchAll(/\b(\w+)\.([A-Z]\w+)\(/g)].map(([, name = '', rpc = '']) =>
          this.handlers.get(name)?.get(rpc),
        )
      : [];
    const methods = [...text.matchAll(/\b(\w+)\.(\w+)\(/g)].flatMap(([, owner = '', name = '']) => {
      const called = this.methods.get(service)?.filter((method) => method.name === name) ?? [];
      const owned = called.filter((method) => method.owner === owner);
      return called.length === 1 && !BUILT_IN.has(name) ? called : owned;
    });
    return [...rpcs, ...methods, ...partsIn(file, text)].filter((place) => place !== undefined);
  }
}

/** @param {string} file */
const serviceOf = (file) => path.relative(SERVICES, file).split(path.sep)[0] ?? '';

/** @param {string} name */
const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Where the handler of a route stands. @param {string} text @returns {string | undefined} */
function fileOfHandler(text) {
  return builtFilesBelow(path.join(SERVICES, 'gateway/dist/routes')).find((file) =>
    sourceOf(file).includes(text),
  );
}

/** @returns {Record<string, Record<string, string[]>>} operation -> status -> reasons, all in order */
export function reasonsOfOperations() {
  const { routes, operationIdOf } = load(path.join(SERVICES, 'gateway/dist/index.js'));
  const trace = new Trace();
  return Object.fromEntries(
    routes
      .map((/** @type {any} */ route) => {
        const text = route.handle.toString();
        const file = fileOfHandler(text);
        if (!file) throw new Error(`${route.method} ${route.path}: its handler is in no file`);
        const operation = operationIdOf(route);
        const found = trace.from({ file, text });
        for (const [reason, { status, operations }] of Object.entries(OUT_OF_SIGHT))
          if (operations.includes(operation)) found.set(reason, status);
        for (const reason of SAID_OTHERWISE[operation] ?? []) found.delete(reason);
        return [operation, byStatus(found)];
      })
      .filter((/** @type {any} */ [, reasons]) => Object.keys(reasons).length > 0)
      .sort((/** @type {any} */ [one], /** @type {any} */ [other]) => (one < other ? -1 : 1)),
  );
}

/** The file that the document of the API reads, one operation a line. @param {ReturnType<typeof reasonsOfOperations>} operations */
export function renderReasons(operations) {
  const lines = Object.entries(operations).map(
    ([operation, statuses]) => `  ${JSON.stringify(operation)}: ${JSON.stringify(statuses)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** @param {Reasons} reasons */
function byStatus(reasons) {
  /** @type {Record<string, string[]>} */
  const grouped = {};
  for (const [reason, status] of [...reasons].sort())
    grouped[status] = [...(grouped[status] ?? []), reason];
  return grouped;
}
