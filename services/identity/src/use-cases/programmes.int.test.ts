import { runInContext, systemContext } from '@laurel/lifecycle';
import type { identity } from '@laurel/rpc';
import { type IdentityUnderTest, identityUnderTest, outcome } from '../testing/identity-under-test';
import { getProgramme, listProgrammes, putProgramme } from './programmes';
import { removeWorkspaceData } from './remove-workspace-data';

describe('what files manage', () => {
  let it: IdentityUnderTest;
  let workspace_id: string;
  beforeAll(async () => {
    it = await identityUnderTest();
  });
  afterAll(() => it.stop());
  beforeEach(async () => {
    workspace_id = (await it.newWorkspace(await it.newUser())).id;
  });

  const thing = (key: string, digest = 'a'.repeat(16)): identity.ManagedThing => ({
    kind: 'rewards',
    key,
    fields: [{ name: 'name', digest }],
  });
  const put = (name: string, ...managed: identity.ManagedThing[]) =>
    putProgramme(it.deps, {
      workspace_id,
      name,
      managed,
      keeps_managed: false,
      changed: [],
      released: [],
    });
  const get = (name: string) => getProgramme(it.deps, { workspace_id, name });
  const keysOf = ({ managed }: identity.Programme) => managed.map((one) => one.thing!.key);

  test('is what was said last, and nothing before', async () => {
    await expect(get('roasted')).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' });
    await put('roasted', thing('b'), thing('a'));
    expect(keysOf(await get('roasted'))).toEqual(['a', 'b']);
    await put('roasted', thing('b'), thing('c'));
    expect(keysOf(await get('roasted'))).toEqual(['b', 'c']);
    await put('roasted');
    expect(keysOf(await get('roasted'))).toEqual([]);
  });

  test('keeps when and by whom it was applied for as long as it stays as it was', async () => {
    const [first] = (await put('roasted', thing('a'))).managed;
    it.clock.advanceMs(60_000);
    const [second] = (await put('roasted', thing('a'))).managed;
    expect(second).toEqual(first);
    const [third] = (await put('roasted', thing('a', 'b'.repeat(16)))).managed;
    expect(Date.parse(third!.applied_at) - Date.parse(first!.applied_at)).toBe(60_000);
  });

  test('may be said in parts, of which each leaves the rest as it is', async () => {
    const part = (
      name: string,
      { changed = [], released = [], ...more }: Partial<identity.PutProgrammeRequest>,
    ) =>
      putProgramme(it.deps, {
        workspace_id,
        name,
        managed: [],
        keeps_managed: true,
        changed,
        released,
        ...more,
      });
    await put('other', thing('theirs'));
    const [first] = (await put('roasted', thing('a'), thing('b'), thing('c'))).managed;
    it.clock.advanceMs(60_000);
    const digest = 'b'.repeat(16);
    const keyOf = (key: string) => ({ kind: 'rewards', key });
    const after = await part('roasted', {
      changed: [thing('a'), thing('b', digest), thing('d')],
      released: [keyOf('c'), keyOf('theirs'), keyOf('nobodys')],
    });
    expect(keysOf(after)).toEqual(['a', 'b', 'd']);
    expect(after.managed[0]).toEqual(first);
    expect(after.managed[1]!.thing).toEqual(thing('b', digest));
    expect(keysOf(await get('other'))).toEqual(['theirs']);
    await expect(part('roasted', { changed: [thing('theirs')] })).rejects.toThrow(/belongs to/);
    const told = await part('roasted', { changed: [thing('e'), thing('a')], tells_named: true });
    expect(keysOf(told)).toEqual(['a', 'e']);
    expect(told.managed[0]).toEqual(first);
    expect(keysOf(await part('roasted', { tells_named: true }))).toEqual([]);
    expect(keysOf(await get('roasted'))).toEqual(['a', 'b', 'd', 'e']);
  });

  test('is of one programme alone, also where two want it at once', async () => {
    const outcomes = await Promise.all(
      ['one', 'two', 'three', 'four'].map((name) => outcome(put(name, thing('wanted')))),
    );
    expect(outcomes.sort()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', 'done']);
    await put('five');
    await expect(put('five', thing('wanted'))).rejects.toThrow(
      /^rewards\/wanted belongs to the programme (one|two|three|four)$/,
    );
    expect(keysOf(await get('five'))).toEqual([]);
  });

  const turn = (id: string, seconds = 60, name = 'roasted') =>
    putProgramme(it.deps, {
      workspace_id,
      name,
      managed: [],
      keeps_managed: true,
      changed: [],
      released: [],
      turn: { id, seconds },
    });

  test('is said by the one whose turn it is, and by no other until that ends, also by itself', async () => {
    await put('roasted', thing('a'));
    const taken = await turn('mine');
    expect(keysOf(taken)).toEqual(['a']);
    expect(taken.turn?.until).toBe(new Date(it.clock.now().getTime() + 60_000).toISOString());
    await expect(turn('another')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(put('roasted', thing('b'))).rejects.toThrow('is applying this programme, until');
    expect(keysOf(await get('roasted'))).toEqual(['a']);
    await put('other', thing('c'));
    it.clock.advanceMs(30_000);
    await turn('mine');
    it.clock.advanceMs(59_000);
    await expect(turn('another')).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await turn('mine', 0)).turn).toBeUndefined();
    await turn('another');
    it.clock.advanceMs(60_000);
    await put('roasted', thing('b'));
    expect((await get('roasted')).turn).toBeUndefined();
  });

  test('is the turn of one where several want it at once, also of a programme that was never applied yet', async () => {
    const outcomes = await Promise.all(['1', '2', '3', '4'].map((id) => outcome(turn(id))));
    expect(outcomes.sort()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', 'done']);
  });

  test('may be said once more under the version before by the turn that said it last, whose answer may be lost', async () => {
    const { etag: condition } = await put('roasted', thing('a'));
    const under = <T>(work: () => Promise<T>) =>
      runInContext(systemContext({ condition: [condition!] }), work);
    await under(() => turn('mine'));
    await under(() => turn('mine'));
    await expect(under(() => turn('another'))).rejects.toMatchObject({ code: 'CONFLICT' });
    await under(() => turn('mine', 0));
    await under(() => turn('mine', 0));
    expect((await get('roasted')).turn).toBeUndefined();
    await expect(under(() => turn('another'))).rejects.toMatchObject({
      code: 'PRECONDITION_FAILED',
    });
    await put('roasted', thing('b'));
    await expect(under(() => turn('mine', 0))).rejects.toMatchObject({
      code: 'PRECONDITION_FAILED',
    });
  });

  test('is listed programme by programme, and of this workspace alone', async () => {
    await put('roasted', thing('b'), thing('a'));
    await put('empty');
    const elsewhere = (await it.newWorkspace(await it.newUser())).id;
    const { data } = await listProgrammes(it.deps, { workspace_id });
    expect(data.map(({ name, managed }) => ({ name, managed }))).toEqual([
      { name: 'empty', managed: [] },
      {
        name: 'roasted',
        managed: ['a', 'b'].map((key) => ({ kind: 'rewards', key })),
      },
    ]);
    expect(await listProgrammes(it.deps, { workspace_id: elsewhere })).toEqual({ data: [] });
  });

  test('is not another’s in another workspace, and goes with its own', async () => {
    await put('roasted', thing('a'));
    const other = (await it.newWorkspace(await it.newUser())).id;
    const elsewhere = { workspace_id: other, name: 'roasted' };
    await expect(getProgramme(it.deps, elsewhere)).rejects.toMatchObject({
      code: 'RECORD_NOT_FOUND',
    });
    await putProgramme(it.deps, {
      ...elsewhere,
      managed: [thing('a')],
      keeps_managed: false,
      changed: [],
      released: [],
    });
    await removeWorkspaceData(it.deps, workspace_id);
    await expect(get('roasted')).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' });
    expect(keysOf(await getProgramme(it.deps, elsewhere))).toEqual(['a']);
  });
});
