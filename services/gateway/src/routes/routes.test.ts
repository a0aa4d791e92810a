import { type Refusal, VISIBLE } from '@laurel/errors';
import type Joi from 'joi';
import { createValidator } from '../middleware/validate';
import type { Route } from '../routing';
import { membersMaxOf } from '../serve';
import { routes } from '.';

/** A part of a schema as Joi describes it, with the dotted place it stands at. */
interface Node {
  place: string;
  name: string;
  type: string;
  rules: { name: string; args?: Record<string, unknown> }[];
  isClosed: boolean;
  isLine: boolean;
}

type Description = Record<string, unknown> & {
  type: string;
  keys?: Record<string, Description>;
  items?: Description[];
  matches?: Record<string, unknown>[];
  patterns?: { rule: Description; regex?: string; schema?: Description }[];
  whens?: Record<string, unknown>[];
};

/** Every schema within a schema: members, items, alternatives and what holds under conditions. */
function nodesOf(described: Description, place: string, name: string): Node[] {
  const { keys = {}, items = [], patterns = [] } = described;
  const flags = (described.flags ?? {}) as { only?: boolean };
  const metas = (described.metas ?? []) as { isLine?: boolean }[];
  const own: Node = {
    place,
    name,
    type: described.type,
    rules: (described.rules ?? []) as Node['rules'],
    isClosed: flags.only === true,
    isLine: metas.some(({ isLine }) => isLine === true),
  };
  const under = (one: unknown, where: string, as: string) =>
    isDescription(one) ? nodesOf(one, where, as) : [];
  const branches = [...(described.matches ?? []), ...(described.whens ?? [])].flatMap((branch) =>
    Object.values(branch)
      .flat()
      .flatMap((part) => [part, ...Object.values((part ?? {}) as object)])
      .flatMap((part) => under(part, place, name)),
  );
  return [
    own,
    ...Object.entries(keys).flatMap(([key, each]) => under(each, `${place}.${key}`, key)),
    ...items.flatMap((each) => under(each, `${place}[]`, name)),
    ...patterns.flatMap(({ rule }) => under(rule, `${place}.*`, name)),
    ...branches,
  ];
}

function isDescription(value: unknown): value is Description {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function nodes(part: 'body' | 'query' | 'reply'): (Node & { route: Route })[] {
  return routes.flatMap((route) => {
    const schema = route[part] as Joi.Schema | undefined;
    if (!schema) return [];
    const place = `${route.method} ${route.path} ${part}`;
    const found = nodesOf(schema.describe() as Description, place, '');
    return found.map((node) => ({ ...node, route }));
  });
}

const given = [...nodes('body'), ...nodes('query')];
const hasRule = ({ rules }: Node, ...names: string[]) =>
  rules.some(({ name }) => names.includes(name));

/** A pattern without repetition "any number of times" says itself how long a text may be. */
const hasBoundedPattern = ({ rules }: Node) =>
  rules.some(({ name, args }) => name === 'pattern' && !/[+*]|,\}/.test(String(args?.regex)));

const places = (found: readonly Node[]) => [...new Set(found.map(({ place }) => place))];

test('the table is looked through as deep as it goes', () => {
  expect(given.length).toBeGreaterThan(500);
  expect(given.map(({ place }) => place)).toEqual(
    expect.arrayContaining([
      'post /service-api/workspace/:workspaceId/automations body.effects[].body',
      'put /service-api/workspace/:workspaceId/integrations/:provider body.secrets.*',
    ]),
  );
});

test('every text that a route takes is bounded', () => {
  const unbounded = given.filter(
    (node) =>
      node.type === 'string' &&
      !node.isClosed &&
      !hasRule(node, 'max', 'length', 'guid') &&
      !hasBoundedPattern(node),
  );
  expect(places(unbounded)).toEqual([]);
});

test('every list that a body holds is bounded before its items are compared, within what the route reads', () => {
  const wrong = nodes('body').filter(({ type, rules, route }) => {
    if (type !== 'array') return false;
    const max = rules.findIndex(({ name }) => name === 'max');
    const unique = rules.findIndex(({ name }) => name === 'unique');
    const limit = Number(rules[max]?.args?.limit ?? Number.POSITIVE_INFINITY);
    const isLate = unique !== -1 && unique < max;
    return limit > membersMaxOf(route) || isLate;
  });
  expect(places(wrong)).toEqual([]);
});

test('every whole number that a body holds is bounded', () => {
  const unbounded = nodes('body').filter(
    (node) =>
      node.type === 'number' &&
      !node.isClosed &&
      hasRule(node, 'integer') &&
      !(hasRule(node, 'max') && hasRule(node, 'min')),
  );
  expect(places(unbounded)).toEqual([]);
});

test('every name, title and label that a body holds is one line, and so is an option to choose', () => {
  const NAMES = /^(name|title|label|options|program_currency|.*_name|.*_title|.*_label|logo_text)$/;
  /** Names of fields, which patterns or the data model restrict, and names that are compared, not kept. */
  const OTHERS = /^(field_name)$/;
  const wrong = nodes('body').filter(
    (node) =>
      node.type === 'string' &&
      NAMES.test(node.name) &&
      !OTHERS.test(node.name) &&
      !node.isLine &&
      !node.isClosed &&
      !hasRule(node, 'pattern', 'guid'),
  );
  expect(places(wrong)).toEqual([]);
});

test('an answer that is repeated under an Idempotency-Key keeps no secret', () => {
  const SECRET = /^(token|secret|code|client_token|access_token|refresh_token)$/;
  /** Codes that are no secret of the caller's: they can be read again. */
  const READABLE = /coupon|reward|redemption|referral|wallet-type|loyalty\/(wallets|points|tiers)/;
  const wrong = nodes('reply').filter(
    ({ name, place, route, isClosed }) =>
      route.method === 'post' &&
      // One of a few words is known to everybody.
      !isClosed &&
      route.idempotent !== false &&
      !route.readOnly &&
      SECRET.test(name) &&
      !place.endsWith('.wallet_type.code') &&
      !READABLE.test(route.path) &&
      !route.shownOnce?.some((path) => place.endsWith(` reply.${path}`)),
  );
  expect(places(wrong)).toEqual([]);
});

test('no schema meets a value that makes it fail instead of refuse', () => {
  const JUNK = [
    null,
    {},
    [null, null],
    [[], {}, {}, null, 1, 'x'],
    [{ name: null }, { name: {} }, { name: 'x' }, { name: 'x' }],
    [{ id: [] }, { id: [] }],
  ];
  const faults = routes.flatMap((route) => {
    if (!route.body) return [];
    const schema = route.body;
    const keys = Object.keys((schema.describe() as Description).keys ?? {});
    return JUNK.flatMap((junk) => {
      const body = Object.fromEntries(keys.map((key) => [key, junk]));
      try {
        schema.validate(body, { abortEarly: false, convert: false });
        return [];
      } catch (error) {
        return [`${route.method} ${route.path} ${JSON.stringify(junk)}: ${error}`];
      }
    });
  });
  expect(faults).toEqual([]);
});

test('no query of any operation, whatever it searches, takes a null character', () => {
  const taking = routes.flatMap((route) => {
    const described = route.query?.describe() as Description | undefined;
    return Object.keys(described?.keys ?? {}).filter((name) => {
      try {
        createValidator(route).query({ [name]: 'a\0b' });
        return true;
      } catch (error) {
        return (error as Refusal).problems[0]?.field !== name;
      }
    });
  });
  expect(taking).toEqual([]);
});

test('every operation that takes a time refuses one that ends before it begins, by its field', () => {
  const timed = routes.flatMap((route) =>
    (['query', 'body'] as const).flatMap((part) => {
      const schema = route[part] as Joi.ObjectSchema | undefined;
      const keys = (schema?.describe() as Description | undefined)?.keys ?? {};
      return schema && 'from_date' in keys && 'to_date' in keys ? [{ route, part, schema }] : [];
    }),
  );
  expect(timed.length).toBeGreaterThan(12);
  const complaints = (schema: Joi.ObjectSchema, time: object) =>
    (schema.validate(time, { abortEarly: false }).error?.details ?? []).filter(
      ({ path }) => path[0] === 'to_date',
    );
  const backwards = (to_date: string) => ({ from_date: '2026-02-02', to_date });
  const moment = '2026-02-01T23:59:59Z';
  const sameDay = { from_date: '2026-02-02T10:00:00Z', to_date: '2026-02-02' };
  for (const { route, part, schema } of timed) {
    const place = `${route.method} ${route.path} ${part}`;
    const takesMoments = complaints(schema, { to_date: moment }).length === 0;
    for (const to of ['2026-02-01', ...(takesMoments ? [moment] : [])])
      expect([place, complaints(schema, backwards(to)).map(({ type }) => type)]).toEqual([
        place,
        ['moment.backwards'],
      ]);
    expect([place, complaints(schema, sameDay)]).toEqual([place, []]);
  }
});

/** What people call a thing; of persons and places it may be left empty. */
const CALLED = new Set(['name', 'label', 'field_label']);
test('what people call a thing is more than spaces, wherever it has to be said', () => {
  const said = nodes('body').filter(
    (node) =>
      node.type === 'string' && hasRule(node, 'min') && (node.isLine || CALLED.has(node.name)),
  );
  expect(said.length).toBeGreaterThan(20);
  const isMoreThanSpaces = ({ rules }: Node) =>
    rules.some(({ name, args }) => name === 'pattern' && String(args?.regex) === String(VISIBLE));
  expect(places(said.filter((node) => !isMoreThanSpaces(node)))).toEqual([]);
});

test.each([
  ['post', '/wallet-types', { code: 'c', name: 'C' }, ['unit_singular_name', 'unit_plural_name']],
  ['patch', '/wallet-types/:id', {}, ['unit_singular_name', 'unit_plural_name']],
  ['put', '/portal-config', {}, ['welcome_title', 'welcome_subtitle', 'cta_label']],
  ['post', '/webhooks', { url: 'https://a.example', event_types: ['*'] }, ['description']],
  ['patch', '/webhooks/:id', {}, ['description']],
  ['patch', '/user/me', {}, ['first_name', 'last_name']],
  ['post', '/mobile-app-users', { email: 'a@b.example' }, ['first_name', 'last_name']],
])(
  'what %s %s takes for people to read may be empty, but not spaces alone',
  (method, path, body, names) => {
    const route = routes.find((one) => one.method === method && one.path.endsWith(path))!;
    const complaints = (name: string, value: string) =>
      ((route.body as Joi.Schema).validate({ ...body, [name]: value }).error?.details ?? []).map(
        ({ message }) => message,
      );
    for (const name of names) {
      expect(complaints(name, '')).toEqual([]);
      expect(complaints(name, 'said')).toEqual([]);
      for (const blank of ['   ', '\u00a0', '\u3000', '\u200b', ' \u2060\ufeff'])
        expect(complaints(name, blank)).toEqual([`"${name}" must not be blank`]);
    }
  },
);

test('an option to choose is more than spaces', () => {
  const options = nodes('body').filter(({ place }) =>
    /data-model\S* body\.options\[\]$/.test(place),
  );
  expect(options).toHaveLength(2);
  expect(places(options.filter((node) => !hasRule(node, 'pattern')))).toEqual([]);
});
