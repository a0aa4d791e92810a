import { platform, Refusal } from '@laurel/errors';
import type { Request } from 'express';
import type { Route } from '../routing';
import { actorOf, conditionOf, underCondition } from './condition';

const asked = (header: string | undefined, route: Partial<Route> = {}) =>
  conditionOf(
    { method: 'patch', versioned: true, ...route } as Route,
    { get: (name: string) => (name === 'if-match' ? header : undefined) } as unknown as Request,
  );

test.each([
  ['"a"', ['a']],
  [' "a" , "b,c"\t,"d"', ['a', 'b,c', 'd']],
  ['"a",,"b"', ['a', 'b']],
  ['W/"a", "b"', ['b']],
  ['W/"a"', []],
  ['""', ['']],
  [' * ', '*'],
])('of If-Match %s the strong tags count', (header, expected) => {
  expect(asked(header)).toEqual(expected);
});

test.each(['a', '"a', '"a" "b"', 'w/"a"', '"a", *', '', ' ', ','])(
  'what is no list of tags is refused, so that no change is made under a condition that was not read: %s',
  (header) => {
    const message = 'If-Match must be * or up to 100 tags such as "x", "y"';
    expect(() => asked(header)).toThrow(
      expect.objectContaining({
        code: 'INVALID_PAYLOAD',
        problems: [expect.objectContaining({ field: 'If-Match', message })],
      }),
    );
  },
);

test('a list that goes on and on is refused', () => {
  expect(() => asked('"x",'.repeat(101))).toThrow();
  expect(asked('"x",'.repeat(100))).toHaveLength(100);
});

test('reads and routes without versions are under no condition', () => {
  expect(asked(undefined)).toBeUndefined();
  expect(asked('"a"', { method: 'get' })).toBeUndefined();
  expect(asked('"a"', { versioned: false })).toBeUndefined();
});

describe('a change that came too late', () => {
  const CHANGED_AT = '2026-03-01T12:00:00.000Z';
  const late = (extensions: object = { changed_at: CHANGED_AT }) =>
    new Refusal({ code: 'PRECONDITION_FAILED', httpStatus: 412 } as never, [
      { message: 'somebody was first', extensions } as never,
    ]);
  const by = (entity_id: string, id?: string, email?: string) => ({
    entity_id,
    actor: { type: 'user', id, email },
  });

  /** What comes of a change that is refused so, and what the audit log was asked for. */
  async function changed(
    refusal: unknown,
    records: unknown = [],
    { path = ':ws/clients/:id', params = { id: 'c' } as object } = {},
  ) {
    const asked: object[] = [];
    const settled: string[] = [];
    const rpc = {
      identity: {
        ListAuditLog: async (request: object) => {
          asked.push(request);
          if (records instanceof Error) throw records;
          return { data: records };
        },
      },
    };
    const handle = async () => {
      if (refusal) throw refusal;
      return 'done';
    };
    const outcome = await underCondition(
      { method: 'patch', path, handle } as unknown as Route,
      { rpc, workspaceId: 'w', params } as never,
      async () => void settled.push('audit'),
    ).catch((error) => error);
    return { outcome, asked, settled };
  }
  const toldOf = (outcome: Refusal) => outcome.problems[0]!.extensions!.changed_by;

  test('says whose came first, of those to the same row, once all of them are noted', async () => {
    const records = [by('other', 'u1'), by('c', 'u2', 'ada@mail.example'), by('c', 'u3')];
    const { outcome, asked, settled } = await changed(late(), records);
    expect(outcome).toMatchObject({ httpStatus: 412, code: 'PRECONDITION_FAILED' });
    expect(outcome.problems[0]).toMatchObject({
      message: 'somebody was first',
      extensions: {
        changed_at: CHANGED_AT,
        changed_by: { type: 'user', id: 'u2', email: 'ada@mail.example' },
      },
    });
    expect(settled).toEqual(['audit']);
    expect(asked).toEqual([
      {
        workspace_id: 'w',
        entity: 'client',
        from: '2026-03-01T11:59:55.000Z',
        until: '2026-03-01T12:01:00.000Z',
        limit: 100,
      },
    ]);
  });

  test('names a job by what it is, and of what has no id who changed it', async () => {
    expect(toldOf((await changed(late(), [by('c')])).outcome)).toEqual({
      type: 'user',
      id: null,
      email: null,
    });
    const settings = { path: ':ws/settings', params: {} };
    expect(toldOf((await changed(late(), [by('w', 'u1')], settings)).outcome)).toMatchObject({
      id: 'u1',
    });
  });

  test('says no more than that where no author is known', async () => {
    for (const [refusal, records] of [
      [late(), []],
      [late(), [by('other', 'u1')]],
      [late(), new Error('identity is away')],
      [late({}), [by('c', 'u2')]],
    ] as const)
      expect((await changed(refusal, records)).outcome).toBe(refusal);
    const bare = new Refusal({ code: 'PRECONDITION_FAILED', httpStatus: 412 } as never, []);
    expect((await changed(bare, [by('c', 'u2')])).outcome).toBe(bare);
    const plain = new Refusal({ code: 'PRECONDITION_FAILED', httpStatus: 412 } as never, [
      { message: 'late' },
    ]);
    expect((await changed(plain, [by('c', 'u2')])).outcome).toBe(plain);
  });

  test('is no other refusal, fault or success, of which nothing is looked up', async () => {
    const stray = Object.assign(new Error('not of ours'), { httpStatus: 412, problems: [] });
    for (const refusal of [platform.forbidden(), stray]) {
      const { outcome, asked, settled } = await changed(refusal);
      expect(outcome).toBe(refusal);
      expect([asked, settled]).toEqual([[], []]);
    }
    expect((await changed(null)).outcome).toBe('done');
  });
});

test('a change is ascribed to who made it, not of who was there a second before or after', () => {
  const at = (ms: number, actor: string) => ({ at: new Date(10_000 + ms).toISOString(), actor });
  const records = [at(2_000, 'came later'), at(30, 'changed it'), at(-1_000, 'made it')];
  expect(actorOf(records, 10_000)).toBe('changed it');
  expect(actorOf([], 10_000)).toBeUndefined();
});
