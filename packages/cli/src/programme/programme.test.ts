import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Laurel, LaurelError } from '@laurel/client';
import fc from 'fast-check';
import { applyPlan } from './apply';
import type { Begins } from './begins';
import { digestOf } from './digest';
import { readHead, readProgramme, writeProgramme } from './files';
import { requireSeen, seenBy } from './ground';
import { type Body, isSingle, KIND_NAMES, KINDS, topOf } from './kinds';
import { type Found, keyFrom, namesOf, readWorkspace } from './live';
import { afterMoves, readMoves } from './moved';
import { compare, digestOfPlan, makePlan, wordsOf } from './plan';
import { readPlan, writePlan } from './plan-file';
import { referencesIn, toApi, toFile } from './references';
import { driftsOf } from './register';
import { applyRemovals, removalsOf, requireLeave, wordsOfRemovals } from './removal';
import { openSecretsFile } from './secrets-file';
import { createTags, type Tags } from './tags';
import { contentsOf, hiding, readTexts } from './texts';

const EXAMPLES = path.resolve(__dirname, '../../../../examples');
const SHOP = path.join(EXAMPLES, 'coffee-shop');
const env = { CRM_HOOK_URL: 'https://crm.example.com/hook' };
const contentsIn = (place: string, known: Record<string, string> = env) =>
  contentsOf(readTexts(place), known);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-programme-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const files = (contents: Record<string, string>) => {
  for (const [name, text] of Object.entries(contents)) writeFileSync(path.join(folder, name), text);
  return () => readProgramme(contentsIn(folder, {}));
};
test('a file is read however its ending is written', () => {
  const read = files({
    'a.yaml': 'rewards: { x: { name: X } }',
    'b.YAML': 'rewards: { y: { name: Y } }',
    'c.Yml': 'rewards: { z: { name: Z } }',
  });
  expect(
    read()
      .map(({ key }) => key)
      .sort(),
  ).toEqual(['x', 'y', 'z']);
});

const found = (kind: Found['kind'], key: string, body: Body): Found => ({
  kind,
  key,
  id: `id of ${key}`,
  body,
});

/** A workspace with these rewards and nothing else. */
function workspaceOf({ rewards }: { rewards: Body[] }): Laurel {
  const none = () => ({ all: () => Promise.resolve([]) });
  const list = () => Promise.resolve([]);
  const nothing = () => Promise.resolve(null);
  return {
    workspaces: { getSettings: () => Promise.resolve({}) },
    brand: { get: nothing },
    portalConfig: { get: nothing },
    referrals: { getProgram: nothing },
    dataModel: { list },
    walletTypes: { list },
    tiers: { getSet: nothing },
    segments: { list },
    rewards: { list: () => ({ all: () => Promise.resolve(rewards) }) },
    webhooks: { list: none },
    automations: { list },
    projects: { list },
    passTemplates: { list },
    distributions: { list },
    campaigns: { list: none },
  } as unknown as Laurel;
}

test('a file in another encoding is refused: its letters would be lost without a word', () => {
  const text = Buffer.from('rewards: { x: { name: K\xe4sekuchen } }', 'latin1');
  writeFileSync(path.join(folder, 'a.yaml'), text);
  expect(() => readTexts(folder)).toThrow('a.yaml is not in UTF-8');
});

describe('the files of a programme', () => {
  test.each(readdirSync(EXAMPLES))(
    'of %s are put in an order in which each thing is there before what refers to it, rules last',
    (name) => {
      const wanted = readProgramme(contentsIn(path.join(EXAMPLES, name)));
      const seen = new Set<string>();
      for (const { kind, key, body } of wanted) {
        // A tier and its card name each other: the tier gets the card once that is there.
        for (const id of referencesIn(body))
          if (kind !== 'tiers' || !id.startsWith('pass_templates/')) expect(seen).toContain(id);
        seen.add(`${kind}/${key}`);
      }
      expect(wanted.at(-1)!.kind).toBe('rules');
      const ladder = wanted.filter(({ kind }) => kind === 'tiers');
      expect(ladder.map(({ body }) => body.sort_order)).toEqual(ladder.map((_, index) => index));
    },
  );

  test.each([
    [
      'the same key twice',
      { 'a.yaml': 'rewards: { x: { name: X } }', 'b.yaml': 'rewards: { x: { name: Y } }' },
      'rewards/x stands in a.yaml and in b.yaml',
    ],
    ['an unknown kind', { 'a.yaml': 'reward: {}' }, 'a.yaml: reward is none of'],
    [
      'a misspelt field',
      { 'a.yaml': 'rewards: { x: { name: X, cost: 3 } }' },
      'rewards/x has no cost',
    ],
    [
      'a thing without its name',
      { 'a.yaml': 'rewards: { x: { cost_in_points: 3 } }' },
      'needs a name',
    ],
    ['a key that is none', { 'a.yaml': 'rewards: { "X Y": { name: X } }' }, 'a key is of'],
    [
      'an unset variable',
      { 'a.yaml': 'webhooks: { x: { url: "${env:NOWHERE}" } }' },
      'needs NOWHERE',
    ],
    ['what is no YAML', { 'a.yaml': 'rewards: {' }, 'a.yaml'],
    [
      'two documents',
      { 'a.yaml': 'rewards: {}\n---\nrules: {}' },
      'a.yaml holds several documents',
    ],
    [
      'what grows without end',
      {
        'a.yaml': `rewards:\n${Array.from({ length: 9 }, (_, n) => `  x${n}: &x${n} [${n ? Array(9).fill(`*x${n - 1}`) : 1}]`).join('\n')}`,
      },
      'a.yaml: Excessive alias count',
    ],
    [
      'segments in a circle',
      {
        'a.yaml':
          'segments: { x: { name: X, filters: [{ segment: y }] }, y: { name: Y, filters: [{ segment: x }] } }',
      },
      'segments/x -> segments/y -> segments/x',
    ],
  ])('are refused for %s', (_what, contents, complaint) => {
    expect(files(contents)).toThrow(complaint);
  });

  test('take a value out of the environment as it is, whatever it would mean in YAML', () => {
    const text = `
# \${env:NOT_SET} is wanted by no line
webhooks:
  plain: { url: \${env:HARD}, event_types: ["\${env:HARD}"] }
  whole: { url: "\${env:DIGITS}" }
rewards:
  cake: { name: \${env:DIGITS}0x, cost_in_points: \${env:COST}, is_active: \${env:FLAG} }
`;
    const HARD = `p"a'ss #1: {x}, [y]\n*z`;
    const env = { HARD, DIGITS: '0123', COST: '12.5', FLAG: 'false' };
    expect(contentsOf(new Map([['a.yaml', text]]), env).get('a.yaml')).toEqual({
      webhooks: { plain: { url: HARD, event_types: [HARD] }, whole: { url: '0123' } },
      rewards: { cake: { name: '01230x', cost_in_points: 12.5, is_active: false } },
    });
  });

  test('that are no YAML are refused without a word of what the environment says', () => {
    const read = () =>
      contentsOf(new Map([['a.yaml', 'rewards: { x: "${env:KEY}" ']]), { KEY: 'hidden "word"' });
    expect(read).toThrow('${env:KEY}');
    expect(read).not.toThrow('hidden');
  });

  test('may leave a kind empty whose last thing was taken out', () => {
    expect(files({ 'a.yaml': 'rewards:\nrules:' })()).toEqual([]);
  });

  test('are read again as they were written, and not written over', () => {
    const wanted = readProgramme(contentsIn(SHOP));
    const target = path.join(folder, 'pulled');
    writeProgramme(target, wanted, false);
    const bare = (list: typeof wanted) => list.map(({ file: _file, ...one }) => one);
    expect(bare(readProgramme(contentsIn(target, {})))).toEqual(bare(wanted));
    expect(() => writeProgramme(target, wanted, false)).toThrow('--force');
    mkdirSync(target, { recursive: true });
    expect(readdirSync(target)).toHaveLength(14);
  });
});

describe('a plan', () => {
  const there = () =>
    readProgramme(contentsIn(SHOP)).map(({ kind, key, body }) =>
      found(kind, key, { ...structuredClone(body), ...(KINDS[kind].isKeyed ? { key } : {}) }),
    );

  test('has nothing to do where everything is as the files say, whatever else there is', () => {
    const live = there();
    for (const one of live) one.body.description ??= 'said in the console';
    const plan = makePlan(readProgramme(contentsIn(SHOP)), live);
    expect(plan.steps.every(({ action }) => action === 'keep')).toBe(true);
  });

  test('says of a value out of the environment where it comes from, and not what it is', () => {
    const texts = new Map([['a.yaml', 'webhooks: { crm: { url: "${env:HOOK}/${env:KEY}" } }']]);
    const secrets = { HOOK: 'https://crm.example.com', KEY: 'se"cret\\1', OTHER: 'not named' };
    const hide = hiding(texts, secrets);
    const told = [`url null → ${secrets.HOOK}/${secrets.KEY}`, JSON.stringify(secrets)].map(hide);
    expect(told[0]).toBe('url null → ${env:HOOK}/${env:KEY}');
    expect(JSON.parse(told[1]!)).toEqual({
      HOOK: '${env:HOOK}',
      KEY: '${env:KEY}',
      OTHER: 'not named',
    });
  });

  test('shows its reviewer what is written, and no line that a name makes up', () => {
    const name = 'Cake\n✓ nothing to do\u001b[2K';
    const lines = wordsOf(
      makePlan(files({ 'a.yaml': `rewards: { cake: { name: ${JSON.stringify(name)} } }` })(), []),
    );
    expect(lines[0]).toBe('+ reward cake  Cake\\n✓ nothing to do\\u001b[2K');
  });

  test('names what was changed by hand, what is new, and what is none of its business', () => {
    const live = there().filter(({ key }) => key !== 'birthday');
    live.find(({ key }) => key === 'free-coffee')!.body.cost_in_points = 45;
    live.push(found('rewards', 'stranger', { name: 'Stranger' }));
    const words = wordsOf(makePlan(readProgramme(contentsIn(SHOP)), live));
    expect(words).toEqual([
      '~ reward free-coffee  cost_in_points 45 → 50',
      '+ rule birthday  Cake on your birthday, on time_based',
      '  not in the files: reward stranger',
      expect.stringMatching(/^1 new, 1 to change, \d+ unchanged, 1 not in the files$/),
    ]);
  });

  test('knows a thing by the key it bears, whatever it is called, and gives a key to what has none', async () => {
    const rewards = [
      { id: '1', key: 'coffee', name: 'Called otherwise by hand', cost_in_points: 5 },
      { id: '2', name: 'Cake', cost_in_points: 9 },
      { id: '3', name: 'Coffee', cost_in_points: 5 },
    ];
    const read = files({
      'a.yaml': 'rewards: { coffee: { name: Coffee }, cake: { name: Cake } }',
    });
    const plan = makePlan(read(), await readWorkspace(workspaceOf({ rewards }), read()));
    expect(wordsOf(plan)).toEqual([
      '~ reward coffee  name Called otherwise by hand → Coffee',
      '~ reward cake  key null → cake',
      '  not in the files: reward coffee-2',
      '0 new, 2 to change, 0 unchanged, 1 not in the files',
    ]);
    expect(plan.steps.map(({ id }) => id)).toEqual(['1', '2']);
  });

  test('has a name of its own: another one where files or workspace differ, the same where they do not', () => {
    const wanted = () => readProgramme(contentsIn(SHOP));
    const name = digestOfPlan(makePlan(wanted(), there().slice(1)));
    expect(digestOfPlan(makePlan(wanted(), there().slice(1)))).toBe(name);
    expect(digestOfPlan(makePlan(wanted(), there().slice(2)))).not.toBe(name);
    const otherFiles = wanted();
    otherFiles[0]!.body = { ...otherFiles[0]!.body, timezone: 'Europe/Paris' };
    expect(digestOfPlan(makePlan(otherFiles, there().slice(1)))).not.toBe(name);
  });

  test('compares what somebody took away by hand, as null', () => {
    expect(digestOf(undefined, 32)).toBe(digestOf(null, 32));
    expect(digestOf(undefined, 32)).toHaveLength(32);
  });

  test('is refused where something refers to what is nowhere', () => {
    const read = files({ 'a.yaml': 'rewards: { x: { name: X, visibility_tiers: [gold] } }' });
    expect(() => makePlan(read(), [])).toThrow('a.yaml: rewards/x refers to tiers/gold');
  });
});

test.each([
  ['of one kind', 'rewards:\n  a: { name: A }\n  b: { name: B }\n  a: { name: C }\n', 'a'],
  ['of one thing', 'rewards:\n  a:\n    name: A\n    cost_in_points: 1\n    name: B\n', 'name'],
  ['of the whole', 'rewards: {}\nrules: {}\n\nrewards: {}\n', 'rewards'],
])('a key that stands twice in one map, %s, is refused with its line', (_what, text, key) => {
  const line = text.split('\n').findLastIndex((one) => one.trim().startsWith(`${key}:`)) + 1;
  expect(files({ 'a.yaml': text })).toThrow(
    `a.yaml: ${key} stands twice in one map, again at line ${line}`,
  );
});

test.each(
  KIND_NAMES.flatMap((kind) =>
    ['name', 'field_label']
      .filter((field) => KINDS[kind].fields.includes(field))
      .map((field) => [kind, field] as const),
  ),
)('what people call one of %s (%s) is more than spaces', (kind, field) => {
  const blank = `{ ${field}: "  \u00a0\u200b\u2800\ufe0f\u{e0041}" }`;
  const text =
    kind === 'tiers'
      ? `tiers: { ladder: { x: ${blank} } }`
      : isSingle(kind)
        ? `${topOf(kind)}: ${blank}`
        : `${kind}: { x: ${blank} }`;
  expect(files({ 'a.yaml': text })).toThrow(`${field} must not be blank`);
});

test('fields of a form whose names the server would refuse are named, all of them', () => {
  const form = (...names: string[]) =>
    files({
      'a.yaml': `distributions: { sign-up: { name: A, form_fields_config: [${names
        .map((name) => `{ name: ${JSON.stringify(name)}, label: L }`)
        .join(', ')}] } }`,
    });
  expect(form('first name', 'size', 'custom_fields.size', '9', 'x'.repeat(81))).toThrow(
    new RegExp(
      [
        '^a.yaml: distributions/sign-up: form_fields_config.0.name is "first name", and no field .*',
        'form_fields_config.2.name is "custom_fields.size", which the form has already',
        'form_fields_config.3.name is "9", .*',
        'form_fields_config.4.name is "x+", .*$',
      ].join('; '),
    ),
  );
  expect(form('email', 'custom_fields.Size-2', '_note', 'referral_code')).not.toThrow();
});

test('only what a file says is compared; lists of names in any order, moments in any spelling', () => {
  expect(compare({ a: 1 }, { a: 1, b: 2 })).toEqual([]);
  expect(compare({ a: ['x', 'y'] }, { a: ['y', 'x'] })).toEqual([]);
  expect(compare({ a: '2026-12-01' }, { a: '2026-12-01T00:00:00.000Z' })).toEqual([]);
  expect(compare({ a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 2, d: 3 }] } })).toEqual([
    { field: 'a.b.0.c', from: 2, to: 1 },
  ]);
  expect(compare({ a: null }, {})).toEqual([]);
});

test('what a file says of others is what the API says of them, there and back', () => {
  const known = [
    { kind: 'tiers' as const, key: 'gold', id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' },
    { kind: 'rewards' as const, key: 'cake', id: '3f2504e0-4f89-41d3-9a0c-0305e82c3302' },
  ];
  const names = namesOf(known);
  const api = {
    conditions: [{ type: 'tier', tier_id: known[0]!.id }],
    effects: [
      { type: 'give_reward', reward_id: known[1]!.id },
      { type: 'earn_points', wallet_type_code: 'beans' },
      { type: 'switch_template', template_id: '3f2504e0-4f89-41d3-9a0c-0305e82c3303' },
    ],
    filters: [{ filter_config: { tier_ids: [known[0]!.id, 'untiered'] } }],
  };
  const file = toFile(api, names);
  expect(file).toMatchObject({
    conditions: [{ tier: 'gold' }],
    effects: [{ reward: 'cake' }, { wallet_type: 'beans' }, { template_id: expect.any(String) }],
    filters: [{ filter_config: { tier_ids: ['gold', 'untiered'] } }],
  });
  expect(toApi(file, names, { where: 'x' })).toEqual(api);
  expect(() => toApi({ tier: 'silver' }, names, { where: 'rules.yaml: rules/x' })).toThrow(
    'rules.yaml: rules/x: there is no tiers/silver',
  );
});

test('the audit log is read once, however many things were changed by hand, and tells of each who was last', async () => {
  const names = ['coffee', 'cake', 'tea', 'gone'];
  const wanted = files({
    'laurel.yaml': `rewards: { ${names.map((key) => `${key}: { name: ${key}, cost_in_points: 1 }`).join(', ')} }`,
  })();
  const there = names
    .slice(0, 3)
    .map((key) => found('rewards', key, { name: key, cost_in_points: 2, key }));
  const entry = (key: string, day: number, email: string, changes = ['cost_in_points']) => ({
    entity_id: `id of ${key}`,
    changes,
    actor: { type: 'user', email },
    at: `2026-01-0${day}T00:00:00.000Z`,
  });
  const log = [
    entry('coffee', 9, 'ann', ['description']),
    entry('coffee', 8, 'bea'),
    entry('cake', 7, 'cleo'),
    entry('coffee', 6, 'dora'),
    entry('tea', 4, 'ella'),
  ];
  const listAuditLog = jest.fn(async function* (_query: object) {
    yield* log;
  });
  const managed = names.map((key, index) => ({
    kind: 'rewards',
    key,
    fields: { cost_in_points: 'as it was' },
    applied_at: `2026-01-0${index + 3}T00:00:00.000Z`,
  }));
  const drifts = await driftsOf(
    { workspaces: { listAuditLog } } as unknown as Laurel,
    makePlan(wanted, there),
    { register: { name: 'shop', managed, etag: null }, found: there },
  );
  // Of the tea somebody changed the price before it was applied.
  expect(drifts.map(({ key, hand }) => [key, hand?.by])).toEqual([
    ['coffee', 'bea'],
    ['cake', 'cleo'],
    ['tea', undefined],
    ['gone', undefined],
  ]);
  expect(listAuditLog.mock.calls).toEqual([
    [{ from_date: '2026-01-03T00:00:00.000Z', limit: 200 }],
  ]);
});

test('a key made of any name is one that files may have', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(keyFrom(name)).toMatch(/^[a-z0-9][a-z0-9_-]{0,62}$/);
    }),
  );
  expect(keyFrom('Café «Noir»!')).toBe('cafe-noir');
});

describe('a thing that is made', () => {
  const wanted = () =>
    files({ 'laurel.yaml': 'rewards: { coffee: { name: Coffee, cost_in_points: 45 } }' })();

  /** A platform that has answered the call before, and `left` of what it made. */
  async function applyAgain(left: object[]): Promise<string[]> {
    const keys: string[] = [];
    const create = (_body: object, { idempotencyKey }: { idempotencyKey: string }) => {
      const isKept = keys.push(idempotencyKey) === 1;
      const headers = new Headers(isKept ? { 'idempotency-replayed': 'true' } : {});
      const made = { id: isKept ? 'before' : 'anew' };
      const withResponse = async () => ({ data: made, response: { headers } });
      return Object.assign(Promise.resolve(made), { withResponse });
    };
    const laurel = { rewards: { create, list: () => ({ all: async () => left }) } };
    const plan = makePlan(wanted(), []);
    for await (const { id } of applyPlan(laurel as never, plan, { found: [] })) keys.push(id);
    return keys;
  }

  test('is the one of before where the answer to that was lost', async () => {
    expect(await applyAgain([{ id: 'before' }])).toEqual([expect.any(String), 'before']);
  });

  test('is made anew where somebody deleted the one of before', async () => {
    const [before, again, id] = await applyAgain([{ id: 'another' }]);
    expect([again?.startsWith(`${before}-`), id]).toEqual([true, 'anew']);
  });
});

describe('a secret that is shown once', () => {
  const made = (answer: object) => async () => answer;
  const no = async () => {
    throw new Error('no');
  };
  /** Applies files in an empty workspace. @returns what was done and begun until the platform says no */
  async function applied(text: string, laurel: object) {
    const wanted = files({ 'a.yaml': text })();
    const done: unknown[] = [];
    const begun: (string | null)[] = [];
    const begins: Begins = (one) => void begun.push(one?.key ?? null);
    const all = async () => {
      const plan = makePlan(wanted, []);
      for await (const one of applyPlan(laurel as never, plan, { found: [], begins }))
        done.push(one);
    };
    await expect(all()).rejects.toThrow('no');
    return { done, begun };
  }

  test('is given out with what it is of, before what refers to that is asked for', async () => {
    const crm = 'webhooks: { crm: { url: "https://crm.example.com/", event_types: ["*"] } }';
    const coffee = 'rewards: { coffee: { name: C, notification_config: { webhook: crm } } }';
    const { done, begun } = await applied(`${coffee}\n${crm}`, {
      rewards: { create: made({ id: 'r' }), update: no },
      webhooks: { create: made({ data: { id: 'w' }, secret: 'whsec_x' }) },
    });
    expect(done.at(-1)).toMatchObject({ key: 'crm', secret: 'whsec_x' });
    expect(begun).toEqual(['coffee', 'crm', 'coffee']);
  });

  test('that cannot be had leaves what it is of among what is done: it is there', async () => {
    const form = 'distributions: { form: { name: F } }';
    const { done, begun } = await applied(form, {
      distributions: {
        create: made({ id: 'd', delivery_mode: 'embed' }),
        rotateApiToken: no,
      },
    });
    const of = { action: 'create', kind: 'distributions', key: 'form', id: 'd' };
    expect(done).toEqual([{ ...of, secret: null }]);
    expect(begun).toEqual(['form', 'form']);
  });
});

describe('a change that is applied', () => {
  const planned = { name: 'Coffee', cost_in_points: 50, key: 'coffee' };
  const workspaceWith = (now: Body, asked: unknown[]): Laurel => {
    const response = { headers: new Headers({ etag: '"r-3"' }) };
    return {
      rewards: {
        get: () => ({ withResponse: async () => ({ data: now, response }) }),
        update: async (...given: unknown[]) => asked.push(given),
      },
    } as unknown as Laurel;
  };
  const apply = async (now: Body, tags?: Tags) => {
    const asked: unknown[] = [];
    const laurel = workspaceWith(now, asked);
    const wanted = files({
      'laurel.yaml': 'rewards: { coffee: { name: Coffee, cost_in_points: 45 } }',
    })();
    const there = [found('rewards', 'coffee', planned)];
    for await (const _ of applyPlan(laurel, makePlan(wanted, there), { found: there, tags }));
    return asked;
  };

  test('goes out under the version that it was compared with', async () => {
    expect(await apply(planned)).toEqual([
      ['id of coffee', { cost_in_points: 45 }, { headers: { 'If-Match': '"r-3"' } }],
    ]);
  });

  test('is not made where somebody changed the same in between; what files do not say is theirs to change', async () => {
    await expect(apply({ ...planned, cost_in_points: 60 })).rejects.toThrow(
      /^the ground moved, plan again: somebody changed rewards\/coffee after the plan was made$/,
    );
    expect(await apply({ ...planned, description: 'Hot' })).toHaveLength(1);
  });

  test('of a plan that was kept goes out under the version that the plan saw, whatever it is by now', async () => {
    const seen = [{ kind: 'rewards' as const, key: 'coffee', etag: '"r-2"' }];
    expect(await apply({ ...planned, cost_in_points: 60 }, createTags(seen))).toEqual([
      ['id of coffee', { cost_in_points: 45 }, { headers: { 'If-Match': '"r-2"' } }],
    ]);
  });

  test('is looked at anew where the plan itself may have moved what it saw', () => {
    const tags = createTags([
      { kind: 'projects', key: 'shop', etag: '"p-1"' },
      { kind: 'rewards', key: 'cake', etag: '"r-1"' },
    ]);
    tags.changed('rewards');
    expect(tags.of({ kind: 'projects', key: 'shop' })).toBe('"p-1"');
    tags.changed('pass_templates');
    expect(tags.of({ kind: 'projects', key: 'shop' })).toBeUndefined();
    expect(tags.of({ kind: 'rewards', key: 'cake' })).toBe('"r-1"');
  });

  test('is refused before anything is done where one of many is another version than was seen', async () => {
    const wanted = files({
      'laurel.yaml': 'rewards: { coffee: { name: Coffee, cost_in_points: 45 } }',
    })();
    const there = [found('rewards', 'coffee', planned)];
    const plan = makePlan(wanted, there);
    const seen = await seenBy(workspaceWith(planned, []), plan, there);
    expect(seen).toEqual([{ kind: 'rewards', key: 'coffee', etag: '"r-3"' }]);
    expect(() => requireSeen(seen, seen)).not.toThrow();
    expect(() => requireSeen([{ ...seen[0]!, etag: '"r-2"' }], seen)).toThrow('the ground moved');
    expect(() => requireSeen(seen, [])).toThrow('rewards/coffee');
    const meanwhile = workspaceWith({ ...planned, cost_in_points: 60 }, []);
    await expect(seenBy(meanwhile, plan, there)).rejects.toThrow('the ground moved');
  });
});

describe('what files no longer name', () => {
  const managed = [
    'wallet_types/beans',
    'segments/sleepy',
    'rewards/cake',
    'rewards/tea',
    'rules/earn',
  ].map((id) => {
    const [kind = '', key = ''] = id.split('/');
    return { kind, key, fields: {}, applied_at: '' };
  });
  const there = [
    found('wallet_types', 'beans', { active: true }),
    found('segments', 'sleepy', {}),
    found('rewards', 'cake', { active: true }),
    found('rewards', 'stranger', { active: true }),
    found('rules', 'earn', { active: false }),
  ];
  const wanted = () => files({ 'a.yaml': 'wallet_types: { beans: { name: Beans } }' })();
  const leaving = (onRemoval: 'deactivate' | 'keep' | 'delete') =>
    removalsOf(managed, { wanted: wanted(), found: there, onRemoval });
  const actions = (onRemoval: 'deactivate' | 'keep' | 'delete') =>
    leaving(onRemoval).map(({ kind, key, action }) => `${action} ${kind}/${key}`);

  test('is switched off where it is on and can be, rules first, and what never was theirs is left alone', () => {
    expect(actions('deactivate')).toEqual([
      'release rules/earn',
      'deactivate rewards/cake',
      'release segments/sleepy',
    ]);
    expect(wordsOfRemovals(leaving('deactivate'))[1]).toBe(
      '- reward cake  no longer in the files: is switched off',
    );
  });

  test('is deleted with a word on what still refers to it, as it will be then', () => {
    const cake = (more: Body) => found('rewards', 'stranger', { visibility_segments: [], ...more });
    const planWith = (stranger: Found, text: string) => {
      const live = [...there.filter(({ key }) => key !== 'stranger'), stranger];
      const want = files({ 'a.yaml': `wallet_types: { beans: { name: Beans } }\n${text}` })();
      const leave = removalsOf(managed, { wanted: want, found: live, onRemoval: 'delete' });
      return wordsOfRemovals(makePlan(want, live, leave).removals).join('\n');
    };
    const sleepy = { visibility_segments: ['sleepy'] };
    const words = planWith(cake(sleepy), '');
    expect(words).toContain('stays; still referred to by rewards/stranger');
    expect(words.match(/still referred to/g)).toHaveLength(1);
    const freed = 'rewards: { stranger: { name: S, visibility_segments: [] } }';
    expect(planWith(cake(sleepy), freed)).not.toContain('referred');
    const used = 'rewards: { stranger: { name: S, visibility_segments: [sleepy] } }';
    expect(planWith(cake({}), used)).toContain('still referred to by rewards/stranger');
    const made = 'rewards: { fresh: { name: F, visibility_segments: [sleepy] } }';
    expect(planWith(cake({}), made)).toContain('still referred to by rewards/fresh');
  });

  test('stays where a workspace cannot be without it, and takes the ladder with its tiers', async () => {
    const lone = [
      found('wallet_types', 'beans', { is_default: true, active: true }),
      found('tier_set', 'tiers', { active: true }),
      found('tiers', 'guest', {}),
    ];
    const owned = lone.map(({ kind, key }) => ({ kind, key }));
    const gone = (onRemoval: 'deactivate' | 'delete') =>
      removalsOf(owned, { wanted: [], found: lone, onRemoval }).map(
        ({ action, kind }) => `${action} ${kind}`,
      );
    expect(gone('delete')).toEqual(['delete tiers', 'delete tier_set', 'release wallet_types']);
    expect(gone('deactivate')).toEqual([
      'release tiers',
      'deactivate tier_set',
      'release wallet_types',
    ]);
    const laurel = workspaceOf({ rewards: [] });
    laurel.tiers.getSet = (() => Promise.resolve({ name: 'Set', tiers: [] })) as never;
    const keys = (await readWorkspace(laurel, [])).map(({ kind, key }) => `${kind}/${key}`);
    expect(keys).toEqual(['settings/settings', 'tier_set/tiers']);
  });

  test('goes as a tier before the card that it puts on passes, though the card is for the tier', () => {
    const there = [
      found('tier_set', 'tiers', { active: true }),
      found('tiers', 'gold', { pass_template: 'golden' }),
      found('pass_templates', 'golden', { tier: 'gold' }),
      found('distributions', 'door', { pass_template: 'golden' }),
    ];
    const owned = there.map(({ kind, key }) => ({ kind, key }));
    const gone = removalsOf(owned, { wanted: [], found: there, onRemoval: 'delete' });
    const order = ['distributions', 'tiers', 'pass_templates', 'tier_set'];
    expect(gone.map(({ kind }) => kind)).toEqual(order);
  });

  test('stays or goes where the files say so, and goes only with leave', () => {
    expect(actions('keep').every((one) => one.startsWith('release'))).toBe(true);
    expect(actions('delete')).toEqual([
      'delete rules/earn',
      'delete rewards/cake',
      'delete segments/sleepy',
    ]);
    expect(() => requireLeave(leaving('delete'), false)).toThrow(
      'no longer name rules/earn, rewards/cake, segments/sleepy; --delete',
    );
    expect(() => requireLeave(leaving('delete'), true)).not.toThrow();
    expect(() => requireLeave(leaving('deactivate'), false)).not.toThrow();
  });

  test('goes one after the other, and no further than the platform lets it', async () => {
    const asked: unknown[] = [];
    const remove = (kind: string) => async (id: string) => {
      if (kind === 'segments') throw new Error('used by the campaign Spring');
      asked.push(id);
    };
    const laurel = {
      automations: { delete: remove('rules') },
      rewards: { delete: remove('rewards') },
      segments: { delete: remove('segments') },
    } as unknown as Laurel;
    const done: string[] = [];
    const all = async () => {
      for await (const { key } of applyRemovals(laurel, leaving('delete'))) done.push(key);
    };
    await expect(all()).rejects.toThrow('used by the campaign Spring');
    expect([done, asked]).toEqual([
      ['earn', 'cake'],
      ['id of earn', 'id of cake'],
    ]);
  });

  test('is deleted where it is gone by then: the answer to the try before was lost', async () => {
    const refused = (status: number) => async () => {
      const said = { problems: [], requestId: undefined, retryAfterSeconds: undefined };
      throw new LaurelError({ status, ...said });
    };
    const laurel = {
      automations: { delete: refused(404) },
      rewards: { delete: refused(404) },
      segments: { delete: refused(409) },
    } as unknown as Laurel;
    const done: string[] = [];
    const all = async () => {
      for await (const { key } of applyRemovals(laurel, leaving('delete'))) done.push(key);
    };
    await expect(all()).rejects.toMatchObject({ status: 409 });
    expect(done).toEqual(['earn', 'cake']);
  });

  test('makes a plan another one, and is no stranger in it', () => {
    const without = makePlan(wanted(), there);
    const plan = makePlan(wanted(), there, leaving('deactivate'));
    expect(digestOfPlan(plan)).not.toBe(digestOfPlan(without));
    expect(plan.others.map(({ key }) => key)).toEqual(['stranger']);
  });

  test.each([
    ['programme: shop', { name: 'shop', onRemoval: 'deactivate' }],
    ['{ programme: shop, on_removal: keep }', { name: 'shop', onRemoval: 'keep' }],
    ['{}', { name: null, onRemoval: 'deactivate' }],
  ])('is dealt with as %s says', (text, head) => {
    files({ 'a.yaml': text });
    expect(readHead(contentsIn(folder, {}))).toEqual(head);
  });

  test.each([
    [
      '{ programme: shop, on_removal: burn }',
      'a.yaml: on_removal is one of deactivate, keep, delete',
    ],
    ['on_removal: delete', 'a.yaml: on_removal needs a programme'],
    ['programme: My shop', 'a.yaml: the name of a programme'],
  ])('cannot be dealt with as %s says', (text, complaint) => {
    files({ 'a.yaml': text });
    expect(() => readHead(contentsIn(folder, {}))).toThrow(complaint);
  });
});

describe('a thing that files call otherwise', () => {
  const text = 'moved: { rewards: { coffee: espresso } }';
  const named = 'rewards: { espresso: { name: Coffee }, cake: { name: Cake } }';
  const reading = () => readProgramme(contentsIn(folder, {}));
  const moves = () => readMoves(contentsIn(folder, {}), reading());
  const plan = async (rewards: Body[]) =>
    makePlan(reading(), await readWorkspace(workspaceOf({ rewards }), reading(), moves()));
  const rewards = [
    { id: '1', key: 'coffee', name: 'Coffee' },
    { id: '2', key: 'cake', name: 'Cake' },
  ];

  test('stays itself, and bears its new key from then on; once it does, the line says nothing', async () => {
    files({ 'a.yaml': named, 'b.yaml': text });
    const planned = await plan(rewards);
    expect(wordsOf(planned)[0]).toBe('~ reward espresso  key coffee → espresso');
    expect(planned.steps.map(({ id }) => id)).toEqual(['1', '2']);
    const after = await plan([{ ...rewards[0]!, key: 'espresso' }, rewards[1]!]);
    expect(after.steps.every(({ action }) => action === 'keep')).toBe(true);
    expect(afterMoves([{ kind: 'rewards', key: 'coffee' }], moves())).toEqual([
      { kind: 'rewards', key: 'espresso', bore: 'coffee' },
    ]);
  });

  test('is not laid over another one that bears the key already', async () => {
    files({ 'a.yaml': named, 'b.yaml': text });
    const taken = [...rewards, { id: '3', key: 'espresso', name: 'Other' }];
    await expect(plan(taken)).rejects.toThrow('rewards/coffee cannot become espresso');
  });

  test.each([
    ['what stands in no file', 'moved: { rewards: { coffee: tea } }', 'stands in no file'],
    ['what stands there itself', 'moved: { rewards: { cake: espresso } }', 'in the files itself'],
    ['a kind known by its code', 'moved: { wallet_types: { a: b } }', 'not of wallet_types'],
    ['two for one', 'moved: { rewards: { a: espresso, b: espresso } }', 'several rewards become'],
    ['what is no map', 'moved: [a]', 'must be a map of kinds'],
    ['what is no key', 'moved: { rewards: { a: "B C" } }', 'a key is of'],
  ])('is refused for %s', (_what, said, complaint) => {
    files({ 'a.yaml': named, 'b.yaml': said });
    expect(moves).toThrow(complaint);
  });
});

describe('a plan that is kept', () => {
  test('is read as it was written, with its files, and holds nothing out of the environment', () => {
    const file = path.join(folder, 'plan.json');
    const kept = {
      workspace: 'w',
      plan: '3f2504e04f894d3d',
      files: readTexts(SHOP),
      register: null,
      seen: [{ kind: 'rewards' as const, key: 'cake', etag: '"r-1"' }],
    };
    writePlan(file, kept);
    expect(readPlan(file)).toEqual(kept);
    expect(readProgramme(contentsOf(readPlan(file).files, env))).toEqual(
      readProgramme(contentsIn(SHOP)),
    );
    expect(readFileSync(file, 'utf8')).not.toContain(env.CRM_HOOK_URL);
  });

  test.each(['{', 'null', '{}', '{"laurel_plan":2,"files":{},"seen":[]}', '{"laurel_plan":1}'])(
    'is none where it is %s',
    (text) => {
      const file = path.join(folder, 'plan.json');
      writeFileSync(file, text);
      expect(() => readPlan(file)).toThrow(file);
    },
  );
});

describe('a file of secrets', () => {
  const secret = { kind: 'webhooks', key: 'crm', secret: 'whsec_x' };

  test('is for its owner alone, holds each at once, and is never written over', () => {
    const file = path.join(folder, 'secrets.jsonl');
    const secrets = openSecretsFile(file);
    secrets.keep(secret);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    secrets.close();
    expect(() => openSecretsFile(file)).toThrow('is there already');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(secret);
  });

  test('is not left behind where there was no secret', () => {
    const secrets = openSecretsFile(path.join(folder, 'secrets.jsonl'));
    secrets.close();
    secrets.close();
    expect(readdirSync(folder)).toEqual([]);
    expect(() => openSecretsFile(path.join(folder, 'nowhere/secrets.jsonl'))).toThrow('ENOENT');
  });
});
