// Who may import whom (docs: the layout of a service), and the house rules that a formatter cannot see.
// Every violation is one line that says what to do instead.
import path from 'node:path';

/** Libraries that only the packages wrapping them may know. */
const WRAPPED = [
  {
    library: /^amqplib$/,
    home: /^(packages\/events|tools\/chaos)\//,
    instead: 'use @laurel/events',
  },
  {
    library: /^@grpc\//,
    home: /^(packages\/rpc|tools\/bench\/floors)\//,
    instead: 'use @laurel/rpc',
  },
  {
    library: /^mongoose$/,
    home: /^(packages\/(mongo|events|testing)\/|services\/[^/]+\/src\/store\/)/,
    instead: 'keep it in src/store/ or use @laurel/mongo',
  },
];

/** The environment, also where it is taken out of `process` first. */
const ENVIRONMENT =
  /\bprocess\.env\b|\{[^{}]*\benv\b[^{}]*\}\s*(?:=\s*process\b|from '(?:node:)?process')/;
/** Where settings may be read straight from the environment: before, beside and below the services. */
const READS_ENVIRONMENT =
  /^(packages\/(cli|config|documentdb-gateway|testing)\/|packages\/[^/]+\/scripts\/|deploy\/|scripts\/|e2e\/|tools\/)/;

/** The layers of a service, outermost first: an import may only go inwards. Those of one step know nothing of each other. */
const LAYERS = [
  ['main'],
  ['service'],
  ['assembly', 'table'],
  ['use-case'],
  ['outside', 'store'],
  ['domain'],
];

/** What stands in a service's src/ folder beside its rooms; the layer of those that have one. */
const FRONT = new Map([
  ['main.ts', 'main'],
  ['service.ts', 'service'],
  ['assemble.ts', 'assembly'],
  ['rpc.ts', 'table'],
  ['consumers.ts', 'table'],
  ['jobs.ts', 'table'],
  ['collections.ts', undefined],
  ['config.ts', undefined],
  ['deps.ts', undefined],
  ['index.ts', undefined],
  ['indexes.ts', undefined],
  ['refusals.ts', undefined],
]);
/** The rooms of a service, and the layer of those that have one. */
const ROOMS = new Map([
  ['use-cases', 'use-case'],
  ['outside', 'outside'],
  ['store', 'store'],
  ['domain', 'domain'],
  ['testing', undefined],
]);
/** The gateway is no service of this kind: it has routes, middleware and pages. */
const HAS_ROOMS = /^services\/(?!gateway\/)[^/]+\/src\/(.+)$/;
const IN_GATEWAY = /^services\/gateway\/src\/([^/]+)\//;
const GATEWAY_FOLDERS = new Set([
  'routes',
  'routing',
  'schema',
  'middleware',
  'openapi',
  'enrollment-page',
  'mail-frame',
  'plain-page',
  'portal-page',
  'static-page',
  'testing',
]);

/** What a domain may know besides itself: the contract's words, exact amounts, days, formulas, refusals, and hashing, which is as pure as adding. */
const DOMAIN_PACKAGES = new Set([
  '@laurel/values/amount',
  '@laurel/values/calendar',
  '@laurel/values/email',
  '@laurel/values/position',
  '@laurel/cel',
  '@laurel/contract',
  '@laurel/errors',
  'node:crypto',
]);

/** What reaches out of the process by itself: files, names, addresses, other programs. */
const REACHES_OUT =
  /(?<![.\w])fetch\(|from '(?:node:)?(?:fs|fs\/promises|net|http|https|http2|tls|dgram|dns|dns\/promises|child_process)'/;
const HAS_OUTSIDE = /^services\/(?!gateway\/)[^/]+\/src\/(?!outside\/|testing\/)/;

const LINES_MAX = 300;
/** What runs as a service, without what its tests work with. */
const SERVICE_CODE = /^services\/[^/]+\/src\/(?!testing\/|openapi\/testing\/)/;

/** What puts a row into the shape of its message; the gateway says the same again in `present.ts`. */
const MAKES_REPLY = /^export (?:const|function) (?:\w+Reply|to\w+Message|present[A-Z]\w*)\b/m;
const IS_WIRE = /^services\/(?:gateway\/|[^/]+\/src\/use-cases\/(?:[^/]+\/)?wire\.ts$)/;

/** @param {string} file */
const isTest = (file) => /\.test\.tsx?$/.test(file);

/**
 * The modules that a source imports, exports from or requires, in order.
 *
 * @param {string} source
 * @returns {string[]}
 */
export function importsOf(source) {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const statements =
    /^\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]|\b(?:import|require)\(\s*['"]([^'"]+)['"]/gm;
  return [...code.matchAll(statements)].flatMap((match) => match[1] ?? match[2] ?? []);
}

/**
 * The layer of a file inside a service's src/ folder; nothing for files that belong to no layer.
 *
 * @param {string} inSource such as `use-cases/earn-points.ts`
 */
function layerOf(inSource) {
  const [first = '', ...rest] = inSource.split('/');
  return rest.length === 0 ? FRONT.get(first) : ROOMS.get(first);
}

/**
 * @param {string} file
 * @returns {string | undefined} what is wrong with where it stands
 */
function placeViolation(file) {
  const folder = IN_GATEWAY.exec(file)?.[1];
  if (folder !== undefined && !GATEWAY_FOLDERS.has(folder))
    return `stands in ${folder}/; the gateway has ${[...GATEWAY_FOLDERS].join(', ')}`;
  const [first = '', ...rest] = (HAS_ROOMS.exec(file)?.[1] ?? '').split('/');
  if (first === '' || (rest.length === 0 ? FRONT : ROOMS).has(first)) return undefined;
  return rest.length === 0
    ? `stands beside the rooms, where only ${[...FRONT.keys()].join(', ')} do; put it into ${[...ROOMS.keys()].join(', ')}`
    : `stands in ${first}/, which is no room; a service has ${[...ROOMS.keys()].join(', ')}`;
}

/** @param {string} layer */
const stepOf = (layer) => LAYERS.findIndex((layers) => layers.includes(layer));

/**
 * @param {string} file path from the repository's top folder
 * @param {string} imported
 * @param {ReadonlySet<string>} services names of all services
 * @returns {string | undefined} what is wrong with this import
 */
function importViolation(file, imported, services) {
  const wrapped = WRAPPED.find(({ library, home }) => library.test(imported) && !home.test(file));
  if (wrapped) return `imports ${imported}; ${wrapped.instead}`;
  if (imported === '@laurel/mongo' && file.startsWith('services/gateway/'))
    return `imports ${imported}; the gateway keeps nothing: ask the service that does`;

  const owner = /^services\/([^/]+)\//.exec(file)?.[1];
  const target = imported.startsWith('.')
    ? path.posix.join(path.posix.dirname(file), imported)
    : imported;
  const other = /^(?:services\/|@laurel\/)([^/]+)/.exec(target)?.[1];
  if (other && other !== owner && services.has(other) && /^(packages|services)\//.test(file)) {
    return `imports the service ${other}; ask it over gRPC (@laurel/rpc) or listen to its events`;
  }
  const [tool, otherTool] = [file, target].map((name) => /^tools\/([^/]+)\//.exec(name)?.[1]);
  if (tool && otherTool && otherTool !== tool && otherTool !== 'lib')
    return `imports the tool ${otherTool} (${imported}); move what both need to tools/lib`;
  return owner ? layerViolation(file, imported, target) : undefined;
}

/**
 * @param {string} file
 * @param {string} imported as it is written
 * @param {string} target the same, relative imports resolved
 */
function layerViolation(file, imported, target) {
  const inSource = (/** @type {string} */ name) => /^services\/[^/]+\/src\/(.+)$/.exec(name)?.[1];
  const from = layerOf(inSource(file) ?? '');
  if (!from) return undefined;
  if (!imported.startsWith('.')) {
    if (from !== 'domain' || DOMAIN_PACKAGES.has(imported)) return undefined;
    return `is domain code and imports ${imported}; the domain knows only itself, refusals, @laurel/values/amount, @laurel/values/calendar, @laurel/values/email, @laurel/values/position, @laurel/cel, @laurel/contract and @laurel/errors: pass in what it needs`;
  }
  const targetFile = `${inSource(target)}${path.extname(target) ? '' : '.ts'}`;
  const to = layerOf(targetFile);
  if (from === 'domain' && to !== 'domain' && targetFile !== 'refusals.ts') {
    return `is domain code and imports ${imported}; the domain knows only itself and ../refusals: pass in what it needs`;
  }
  if (to && to !== from && stepOf(to) <= stepOf(from)) {
    const way = LAYERS.map((layers) => layers.join(' or ')).join(' -> ');
    return `is ${from} code and imports ${to} code (${imported}); imports go ${way}: turn the call around or move the code inwards`;
  }
  return undefined;
}

/**
 * Whether a file keeps to the layout.
 *
 * @param {string} file path from the repository's top folder, with forward slashes
 * @param {string} source
 * @param {ReadonlySet<string>} services
 * @returns {string[]} one line per violation
 */
export function layoutViolations(file, source, services) {
  if (isTest(file)) return [];
  const found = importsOf(source).flatMap(
    (imported) => importViolation(file, imported, services) ?? [],
  );
  const misplaced = placeViolation(file);
  if (misplaced) found.push(misplaced);
  if (ENVIRONMENT.test(source) && !READS_ENVIRONMENT.test(file)) {
    found.push(
      'reads process.env; declare the setting in config.ts and read it with @laurel/config',
    );
  }
  if (
    /^services\/[^/]+\/src\/domain\//.test(file) &&
    /\bawait\b|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/.test(source)
  ) {
    found.push('is domain code and waits, asks the clock or rolls dice; pass the result in');
  }
  if (
    /^(services\/[^/]+|packages\/(backend|events|mongo|work))\/src\/(?!testing\/)/.test(file) &&
    /\bsetInterval\(|\brunInContext\(\s*systemContext\(\s*\)/.test(source)
  ) {
    found.push(
      'starts background work by hand; every(), later() and runInBackground() of @laurel/lifecycle give it a context of its own (docs/adr/0009)',
    );
  }
  if (HAS_OUTSIDE.test(file) && REACHES_OUT.test(source))
    found.push('speaks to the world beyond the service; that stands in outside/');
  if (SERVICE_CODE.test(file)) {
    if (/\bconsole\.\w+\(/.test(source))
      found.push(
        'writes to the console; the logger of the deps knows the request and cuts out secrets',
      );
    if (/\bnew Refusal\(\s*\{/.test(source))
      found.push('makes a refusal of its own; declare it in refusals.ts');
    if (MAKES_REPLY.test(source) && !IS_WIRE.test(file))
      found.push(
        'makes an answer; toThingReply() stands in the wire.ts of its noun (docs/adr/0046)',
      );
    if (/\$set: \{[^}]*\blease\b(?!: null)/.test(source))
      found.push('claims work by hand; createDue() of @laurel/work does (docs/adr/0018)');
  }
  return found.map((text) => `${file}: ${text}`);
}

/**
 * Whether a file is tidy.
 *
 * @param {string} file
 * @param {string} source
 * @returns {string[]} one line per violation
 */
export function tidyViolations(file, source) {
  const found = [];
  const lines = source.trimEnd().split('\n').length;
  if (!isTest(file) && lines > LINES_MAX) {
    found.push(`has ${lines} lines, ${LINES_MAX} are the limit; split it by what it is about`);
  }
  if (/\b(?:TO|FIX)(?:DO|ME)\b/.test(source))
    found.push('leaves a note for later; do it now, or write an issue');
  if (isTest(file)) found.push(...testViolations(source));
  return found.map((text) => `${file}: ${text}`);
}

/** @param {string} source */
function testViolations(source) {
  const found = [];
  if (
    /\b(?:it|test|describe)\.(?:only|skip|todo|failing)(?:\.each)?\s*[(`]|\b(?:xit|xtest|xdescribe|fit|fdescribe)\(/.test(
      source,
    )
  ) {
    found.push('focuses or skips a test; let every test run');
  }
  if (
    /\bsetTimeout\(\s*(?:r|res|resolve|done|ok)\b|\bnew Promise(?:<\w+>)?\(\s*\(?(\w+)\)?\s*=>\s*\{?\s*setTimeout\(\s*\1\b|from 'node:timers\/promises'|\bsleep\(/.test(
      source,
    )
  ) {
    found.push('sleeps; wait for a condition with until() of @laurel/testing');
  }
  return found;
}
