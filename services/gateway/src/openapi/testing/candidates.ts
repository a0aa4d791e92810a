import fc, { type Arbitrary } from 'fast-check';

/** What `schema.describe()` tells of a joi schema, as far as values are made of it. */
export interface Described {
  type: string;
  flags?: { only?: boolean; presence?: string };
  preferences?: { presence?: string };
  metas?: { request?: { pattern?: string; format?: string } }[];
  allow?: unknown[];
  rules?: { name: string; args?: { limit?: number; regex?: string } }[];
  keys?: Record<string, Described>;
  patterns?: { regex?: string; schema?: Described; rule: Described }[];
  items?: Described[];
  whens?: Branching[];
  matches?: Branching[];
}
interface Branching {
  ref?: { path?: string[] };
  schema?: Described;
  is?: Described;
  then?: Described;
  otherwise?: Described;
  switch?: Branching[];
}

const UUIDS = ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', '3f2504e0-4f89-41d3-9a0c-0305e82c3302'];
/** One of them fits nearly every text that a schema describes; none is what only code can refuse. */
const TEXTS = [
  'text',
  '2026-01-31T10:00:00.000Z',
  '2026-01-31',
  'EUR',
  '#1A2B3C',
  '123456',
  'https://example.com/a',
  'ann@example.com',
  'a'.repeat(64),
  'AAAAAAAAAA',
  'pass.com.example',
  'CODE-{RAND:6}',
  'QUJD',
];

/**
 * Values that a schema takes or nearly takes: conditions between members are not heeded, so that both their outcomes
 * come up.
 */
export function candidatesFor(node: Described, presence = 'optional'): Arbitrary<unknown> {
  const inner = node.preferences?.presence ?? presence;
  const own = typed(node, inner);
  const allowed = (node.allow ?? []).filter((value) => typeof value !== 'object' || value === null);
  const branches = branchesOf(node.whens ?? []).map((branch) => candidatesFor(branch, inner));
  const others = [...allowed.map((value) => fc.constant<unknown>(value)), ...branches];
  if (others.length === 0) return own;
  return node.type === 'any' ? fc.oneof(...others) : fc.oneof(own, ...others);
}

function branchesOf(branchings: readonly Branching[]): Described[] {
  return branchings.flatMap(({ schema, is, then, otherwise, switch: cases = [] }) => [
    ...[schema, withType(then, is), otherwise].filter((branch) => branch !== undefined),
    ...branchesOf(cases),
  ]);
}

/** A form of its type: the member that tells forms apart is described as any text. */
function withType(form: Described | undefined, is: Described | undefined): Described | undefined {
  if (!form?.keys?.type || !is) return form;
  const type = {
    ...form.keys.type,
    flags: { ...form.keys.type.flags, only: true },
    allow: is.allow,
  };
  return { ...form, keys: { ...form.keys, type } };
}

function typed(node: Described, presence: string): Arbitrary<unknown> {
  const limit = (name: string) => node.rules?.find((rule) => rule.name === name)?.args?.limit;
  if (node.flags?.only)
    return fc.constantFrom(...(node.allow ?? []).filter((value) => !isNote(value)));
  switch (node.type) {
    case 'string':
      return fc.constantFrom(...textsFor(node, limit('length')));
    case 'number':
      return fc.constantFrom(limit('min') ?? 1, limit('max') ?? 7, 1, 2.5);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(
        fc.oneof(...(node.items ?? [{ type: 'any' }]).map((item) => candidatesFor(item, presence))),
        {
          minLength: limit('min') ?? 0,
          maxLength: Math.max(limit('min') ?? 0, 2),
        },
      );
    case 'object':
      return objects(node, presence);
    case 'alternatives':
      return fc.oneof(...branchesOf(node.matches ?? []).map((one) => candidatesFor(one, presence)));
    default:
      return fc.constantFrom<unknown>('text', 3);
  }
}

const isNote = (value: unknown) => typeof value === 'object' && value !== null;

function textsFor({ rules = [], metas = [] }: Described, length: number | undefined): string[] {
  const names = new Set(rules.map(({ name }) => name));
  if (names.has('guid')) return UUIDS;
  if (names.has('email')) return ['ann@example.com'];
  if (names.has('uri')) return ['https://example.com/a'];
  if (names.has('hex')) return ['a'.repeat(length ?? 8)];
  const patterns = rules
    .filter(({ name }) => name === 'pattern')
    .map(({ args }) =>
      String(args?.regex)
        .slice(1)
        .replace(/\/\w*$/, ''),
    );
  for (const { request } of metas) {
    if (request?.format === 'date') return ['2026-01-31'];
    if (request?.pattern) patterns.push(request.pattern);
  }
  const fitting = TEXTS.filter((text) => patterns.every((one) => new RegExp(one).test(text)));
  return fitting.length === 0 ? TEXTS : fitting;
}

function objects({ keys = {}, patterns = [] }: Described, presence: string): Arbitrary<unknown> {
  const members = Object.entries(keys).map(([name, member]) => {
    const said = member.flags?.presence ?? presence;
    const value = candidatesFor(member, presence);
    const there = said === 'required' ? 20 : said === 'forbidden' ? 0.05 : member.whens ? 0.3 : 1;
    return fc
      .tuple(fc.double({ min: 0, max: 1, noNaN: true }), value)
      .map(([chance, made]) => (chance < there / (there + 1) ? [[name, made]] : []));
  });
  const others = patterns.map(({ rule, regex }) =>
    fc
      .array(candidatesFor(rule, presence), { maxLength: 1 })
      .map((made) => made.map((value) => [regex ? 'cf_x' : UUIDS[0], value])),
  );
  const fitted = Object.entries(keys).flatMap(([name, { whens = [] }]) =>
    whens.map((when) => fittingMember(name, when, presence)),
  );
  return fc
    .tuple(fc.tuple(...members, ...others), fc.tuple(...fitted), fc.nat(4))
    .map(([made, fits, spare]) => {
      const object = Object.fromEntries(made.flat() as [string, unknown][]);
      // Where much depends on one member, chance alone would hardly ever make all the rest fit.
      return spare === 0 ? object : fits.reduce((value, fit) => fit(value), object);
    });
}

type Fit = (object: Record<string, unknown>) => Record<string, unknown>;

/** Makes a member what its condition asks of it, as its sibling stands. */
function fittingMember(name: string, when: Branching, presence: string): Arbitrary<Fit> {
  const cases = when.switch ?? [when];
  const sibling = when.ref?.path?.[0] ?? '';
  const branches = [...cases.map(({ then }) => then), cases.at(-1)?.otherwise ?? when.otherwise];
  return fc
    .tuple(...branches.map((branch) => (branch ? candidatesFor(branch, presence) : fc.constant(0))))
    .map((values) => (object) => {
      const at = cases.findIndex(({ is }) => is?.allow?.includes(object[sibling]));
      const index = at === -1 ? branches.length - 1 : at;
      const { [name]: _, ...rest } = object;
      if (!branches[index]) return object;
      const isForbidden = branches[index].flags?.presence === 'forbidden';
      return isForbidden ? rest : { ...rest, [name]: values[index] };
    });
}

/** Every value that differs from this one in one place, at any depth. */
export function* mutantsOf(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const mutant of mutantsOf(item)) yield value.with(index, mutant);
      yield value.toSpliced(index, 1);
      yield [...value, item];
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
      for (const mutant of mutantsOf(member)) yield { ...value, [name]: mutant };
    }
    yield { ...value, nobody_knows_this: 1 };
  }
  yield* [null, 'text', 7, -1.5, true, '', {}, []];
}
