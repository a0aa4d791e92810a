import { newId } from '@laurel/lifecycle';
import { type common, referenced } from '@laurel/rpc';
import { workOff } from '@laurel/testing';
import type { PassDeps } from '../../deps';
import { passes } from '../../store/pass-rows';
import { createHarness, type Harness } from '../../testing/harness';
import { deleteProject } from '../project/delete-project';
import { deleteTemplate } from '../template/delete-template';
import { endTemporaryTemplates } from '../template/end-temporary-templates';
import { finishMigrations, migrateTemplate } from '../template/migrate-template';
import { getTemplate, getTemplates } from '../template/read-templates';
import { updateTemplate } from '../template/update-template';
import { templateRefreshWorker } from '../template/work-template-refreshes';
import { getPass } from './read-passes';
import { updatePass } from './update-pass';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const own = () => ({ workspace_id: harness.workspaceId });
const read = (id: string) => getPass(harness.deps, { ...own(), id, with_client: false });
async function demote(client_id: string) {
  harness.peers.tierOf.delete(client_id);
  const none = { tier: null, previous_tier: null, manually_assigned: false, expires_at: null };
  await harness.deliver(harness.event('tiers.tier_demoted', { client_id, ...none }));
}
const DAY_MS = 86_400_000;
const CONFLICT = { code: 'CONFLICT' };
const GONE = { code: 'RECORD_NOT_FOUND' };

describe('a template that passes are on', () => {
  test('is not deleted, nor its project, until they are gone', async () => {
    const project = await harness.project();
    const template = await harness.template(project.id);
    const { id } = await harness.pass(template);
    await expect(deleteTemplate(harness.deps, { ...own(), id: template.id })).rejects.toMatchObject(
      CONFLICT,
    );
    await expect(deleteProject(harness.deps, { ...own(), id: project.id })).rejects.toMatchObject(
      CONFLICT,
    );
    await passes.removeWorkspace(harness.connection, harness.workspaceId);
    await deleteProject(harness.deps, { ...own(), id: project.id });
    await expect(getTemplate(harness.deps, { ...own(), id: template.id })).rejects.toMatchObject(
      GONE,
    );
    await expect(read(id)).rejects.toMatchObject(GONE);
  });

  test('is not deleted while a pass goes back to it', async () => {
    const project = await harness.project();
    const [home, away] = [await harness.template(project.id), await harness.template(project.id)];
    const { id } = await harness.pass(home);
    await updatePass(harness.deps, {
      ...own(),
      id,
      pass_template_id: away.id,
      duration_days: 1,
    });
    await expect(deleteTemplate(harness.deps, { ...own(), id: home.id })).rejects.toMatchObject(
      CONFLICT,
    );
  });

  test('never loses the race between a new pass and its deletion', async () => {
    const project = await harness.project();
    for (let round = 0; round < 6; round += 1) {
      const template = await harness.template(project.id);
      const [made, deleted] = await Promise.allSettled([
        harness.pass(template),
        deleteTemplate(harness.deps, { ...own(), id: template.id }),
      ]);
      expect([made.status, deleted.status].sort()).toEqual(['fulfilled', 'rejected']);
    }
  });
});

describe('placeholders of a template', () => {
  test('that nothing fills are named with their places, and kept', async () => {
    harness.peers.fields = ['city'];
    harness.peers.walletTypes = [{ code: 'beans' }];
    harness.peers.tiers = [{ id: newId(), pass_sync_config: { field_name: 'level' } }];
    const project = await harness.project();
    const { id } = await harness.template(project.id);
    const lines = [
      { label: 'City', value: '{{city}} {{level}}' },
      { label: 'Points', value: '${wallet:beans.points} ${wallet:miles.points}' },
    ];
    const fields = { front_fields: lines, top_field_value: '${loyalty.points}' };
    const saved = await updateTemplate(harness.deps, { ...own(), id, fields });
    expect(saved.warnings.map(({ field, placeholder }) => [field, placeholder])).toEqual([
      ['top_field_value', '${loyalty.points}'],
      ['front_fields.1.value', '${wallet:miles.points}'],
    ]);
    expect(saved.template?.fields?.front_fields).toEqual(
      lines.map((line) => ({ id: expect.any(String), ...line })),
    );
  });
});

describe('a template that is changed', () => {
  test('has every pass on it drawn again, page by page', async () => {
    const project = await harness.project();
    const template = await harness.template(project.id);
    const made = [await harness.pass(template), await harness.pass(template)];
    const request = { ...own(), id: template.id, fields: { logo_text: 'New' } };
    await updateTemplate(harness.deps, request);
    expect(await harness.owed()).toEqual([]);
    await workOff(templateRefreshWorker(harness.deps));
    expect((await harness.owed()).sort()).toEqual(made.map((pass) => pass.id).sort());
  });
});

describe('a migration', () => {
  async function migrating() {
    const [one, other] = [await harness.project(), await harness.project()];
    const [source, target] = [await harness.template(one.id), await harness.template(other.id)];
    return { source, target };
  }
  const migrate = (id: string, target_template_id: string) =>
    migrateTemplate(harness.deps, { ...own(), id, target_template_id });
  /** The replica that begins it is gone before it has moved a pass. */
  async function breakOff(id: string, targetId: string) {
    const page = jest
      .spyOn(harness.deps.passes, 'listOnTemplate')
      .mockRejectedValueOnce(new Error('killed'));
    await expect(migrate(id, targetId)).rejects.toThrow('killed');
    page.mockRestore();
  }

  test('moves all passes with their project, and deletes the template', async () => {
    const { source, target } = await migrating();
    const ada = harness.client();
    const [moved, twin, temporary] = [
      await harness.pass(source),
      await harness.pass(source, { client_id: ada }),
      await harness.pass(source),
    ];
    const kept = await harness.pass(target, { client_id: ada });
    const away = await harness.template(target.project_id);
    await updatePass(harness.deps, {
      ...own(),
      id: temporary.id,
      pass_template_id: away.id,
      duration_days: 3,
    });
    expect(await migrate(source.id, target.id)).toEqual({
      deleted_template_id: source.id,
      target_template_id: target.id,
      migrated_passes: 2,
    });
    const place = { pass_template_id: target.id, project_id: target.project_id };
    expect(await read(moved.id)).toMatchObject(place);
    expect(await read(twin.id)).toMatchObject({ ...place, client_id: null });
    expect(await read(kept.id)).toMatchObject({ ...place, client_id: ada });
    expect(await read(temporary.id)).toMatchObject({
      pass_template_id: away.id,
      previous_template_id: target.id,
    });
    await expect(getTemplate(harness.deps, { ...own(), id: source.id })).rejects.toMatchObject(
      GONE,
    );
  });

  test('ends links and barcode of a pass that has no client from then on, and of no other', async () => {
    const { source, target } = await migrating();
    const ada = harness.client();
    const twin = await harness.pass(source, { client_id: ada });
    const kept = await harness.pass(target, { client_id: ada });
    const moved = await harness.pass(source, { client_id: harness.client() });
    type Opened = { id: string; apple_pass_url?: string | null };
    const opens = async ({ id, apple_pass_url: url }: Opened) => {
      const pass = (await harness.deps.passes.find(harness.workspaceId, id))!;
      return harness.deps.links.isSignatureOf(pass, new URL(url!).pathname.split('/')[3]!);
    };
    await migrate(source.id, target.id);
    expect(await Promise.all([twin, kept, moved].map(opens))).toEqual([false, true, true]);
    const values = await Promise.all([twin, kept, moved].map(({ id }) => read(id)));
    expect(values.map(({ barcode_value }) => barcode_value)).toEqual([
      expect.not.stringContaining(twin.barcode_value!),
      kept.barcode_value,
      moved.barcode_value,
    ]);
  });

  test('takes along where passes go back to when their tier ends, and no such template is deleted', async () => {
    const { source, target } = await migrating();
    const golden = await harness.template(source.project_id);
    const clientId = harness.client();
    harness.peers.tiers = [{ id: newId(), name: 'Gold', pass_template_id: golden.id }];
    harness.peers.tierOf.set(clientId, harness.peers.tiers[0]!.id!);
    const { id } = await harness.pass(source, { client_id: clientId });
    const [created] = await harness.told('passes.pass_created');
    await harness.deliver(created!);
    expect((await read(id)).pass_template_id).toBe(golden.id);
    await expect(deleteTemplate(harness.deps, { ...own(), id: source.id })).rejects.toMatchObject(
      CONFLICT,
    );
    await migrate(source.id, target.id);
    expect((await read(id)).pass_template_id).toBe(golden.id);
    await demote(clientId);
    expect(await read(id)).toMatchObject({
      pass_template_id: target.id,
      project_id: target.project_id,
    });
  });

  test('that is under way has passes come back to the target, from a tier as from a temporary template', async () => {
    const { source, target } = await migrating();
    const away = await harness.template(source.project_id);
    const [climber, guest] = [harness.client(), harness.client()];
    const gold = { id: newId(), name: 'Gold', pass_template_id: away.id };
    harness.peers.tiers = [gold];
    harness.peers.tierOf.set(climber, gold.id);
    const ofTier = await harness.pass(source, { client_id: climber });
    const [created] = await harness.told('passes.pass_created');
    await harness.deliver(created!);
    const ofADay = await harness.pass(source, { client_id: guest });
    const temporary = { pass_template_id: away.id, duration_days: 1 };
    await updatePass(harness.deps, { ...own(), id: ofADay.id, ...temporary });
    await breakOff(source.id, target.id);
    await demote(climber);
    harness.clock.advanceMs(86_400_000);
    await endTemporaryTemplates(harness.deps);
    const place = { pass_template_id: target.id, project_id: target.project_id };
    for (const { id } of [ofTier, ofADay])
      expect(await read(id)).toMatchObject({ ...place, previous_template_id: null });
  });

  test('that is under way moves where a tier put a pass for which a temporary template ends', async () => {
    const { source: golden, target: newer } = await migrating();
    const [home, away] = [
      await harness.template(newer.project_id),
      await harness.template(newer.project_id),
    ];
    const client_id = harness.client();
    const gold = { id: newId(), name: 'Gold', pass_template_id: golden.id };
    harness.peers.tiers = [gold];
    harness.peers.tierOf.set(client_id, gold.id);
    const { id } = await harness.pass(home, { client_id });
    const [created] = await harness.told('passes.pass_created');
    await harness.deliver(created!);
    const temporary = { pass_template_id: away.id, duration_days: 1 };
    await updatePass(harness.deps, { ...own(), id, ...temporary });
    harness.peers.tiers = [{ ...gold, pass_template_id: newer.id }];
    await breakOff(golden.id, newer.id);
    harness.clock.advanceMs(86_400_000);
    await endTemporaryTemplates(harness.deps);
    expect((await read(id)).pass_template_id).toBe(newer.id);
    await demote(client_id);
    expect((await read(id)).pass_template_id).toBe(home.id);
  });

  test('leaves a client one card of the target, also where a tier has put that one on another template', async () => {
    const { source, target } = await migrating();
    const golden = await harness.template(source.project_id);
    const client_id = harness.client();
    harness.peers.tiers = [{ id: newId(), name: 'Gold', pass_template_id: golden.id }];
    harness.peers.tierOf.set(client_id, harness.peers.tiers[0]!.id!);
    const kept = await harness.pass(target, { client_id });
    const [created] = await harness.told('passes.pass_created');
    await harness.deliver(created!);
    const twin = await harness.pass(source, { client_id });
    const moved = await harness.pass(source, { client_id: harness.client() });
    await migrate(source.id, target.id);
    expect((await read(twin.id)).client_id).toBeNull();
    expect(await read(kept.id)).toMatchObject({ client_id, pass_template_id: golden.id });
    expect((await read(moved.id)).client_id).toBe(moved.client_id);
  });

  test.each(['its tier', 'some days'])(
    'leaves a client one card of the target, also where the one that moves is on another template for %s',
    async (why) => {
      const { source, target } = await migrating();
      const { id: elsewhere } = await harness.template(source.project_id);
      const client_id = harness.client();
      const kept = await harness.pass(target, { client_id });
      const moved = await harness.pass(source, { client_id });
      if (why === 'its tier') {
        harness.peers.tiers = [{ id: newId(), name: 'Gold', pass_template_id: elsewhere }];
        harness.peers.tierOf.set(client_id, harness.peers.tiers[0]!.id!);
        for (const created of await harness.told('passes.pass_created'))
          await harness.deliver(created);
      } else {
        const temporary = { pass_template_id: elsewhere, duration_days: 1 };
        await updatePass(harness.deps, { ...own(), id: moved.id, ...temporary });
      }
      expect((await read(moved.id)).pass_template_id).toBe(elsewhere);
      await migrate(source.id, target.id);
      expect((await read(moved.id)).client_id).toBeNull();
      expect(await read(kept.id)).toMatchObject({ client_id, pass_template_id: target.id });
    },
  );

  test('takes no card that only returns to it from a client who has another that shows the target for its tier alone', async () => {
    const { source, target } = await migrating();
    const { project_id } = source;
    const own_template = await harness.template(project_id);
    const client_id = harness.client();
    const gold = await harness.pass(own_template, { client_id });
    harness.peers.tiers = [{ id: newId(), name: 'Gold', pass_template_id: target.id }];
    harness.peers.tierOf.set(client_id, harness.peers.tiers[0]!.id!);
    for (const created of await harness.told('passes.pass_created')) await harness.deliver(created);
    expect((await read(gold.id)).pass_template_id).toBe(target.id);
    const away = await harness.pass(source, { client_id });
    const { id: elsewhere } = await harness.template(project_id);
    const temporary = { pass_template_id: elsewhere, duration_days: 1 };
    await updatePass(harness.deps, { ...own(), id: away.id, ...temporary });
    await migrate(source.id, target.id);
    expect(await read(away.id)).toMatchObject({ client_id, pass_template_id: elsewhere });
    expect(await read(gold.id)).toMatchObject({ client_id, pass_template_id: target.id });
    // Its time is over while the other still shows the target, and once that is over, too.
    harness.clock.advanceMs(DAY_MS);
    await endTemporaryTemplates(harness.deps);
    expect(await read(away.id)).toMatchObject({
      pass_template_id: elsewhere,
      previous_template_id: target.id,
    });
    await demote(client_id);
    expect((await read(gold.id)).pass_template_id).toBe(own_template.id);
    harness.clock.advanceMs(DAY_MS);
    await endTemporaryTemplates(harness.deps);
    expect(await read(away.id)).toMatchObject({
      client_id,
      ...{ pass_template_id: target.id, previous_template_id: null },
    });
  });

  test('is refused onto itself, onto an unknown template and onto one of another workspace', async () => {
    const { source } = await migrating();
    const refused = { httpStatus: 400, problems: [{ field: 'target_template_id' }] };
    for (const target of [source.id, newId()])
      await expect(migrate(source.id, target)).rejects.toMatchObject(refused);
    await expect(migrate(newId(), source.id)).rejects.toMatchObject(GONE);
  });

  test('does not begin while something names the template, also what came to do so at that moment', async () => {
    const { source, target } = await migrating();
    const { id } = await harness.pass(source);
    let users: common.Reference[] = [];
    const find = async () => users;
    const references: PassDeps['references'] = {
      find,
      requireUnreferenced: async (_workspaceId, kind) => {
        if (users.length > 0) throw referenced(kind, users);
      },
    };
    const { templates } = harness.deps;
    const closeDoors: typeof templates.closeDoors = async (...args) => {
      await templates.closeDoors(...args);
      users = [{ type: 'rule', id: newId(), name: 'To the new card' }];
    };
    const deps = { ...harness.deps, references, templates: { ...templates, closeDoors } };
    const request = { ...own(), id: source.id, target_template_id: target.id };
    const used = { ...CONFLICT, problems: [{ extensions: { used_by: [{ type: 'rule' }] } }] };
    await expect(migrateTemplate(deps, request)).rejects.toMatchObject(used);
    expect((await read(id)).pass_template_id).toBe(source.id);
    await harness.pass(source);
  });

  test('that has begun leaves nothing that could come to name the template, and lets be looked by it', async () => {
    const { source, target } = await migrating();
    await harness.pass(source);
    const known = async (with_migrating?: boolean) => {
      const ids = [source.id, target.id, newId()];
      const found = await getTemplates(harness.deps, { ...own(), ids, with_migrating });
      return found.templates.map(({ id }) => id).sort();
    };
    expect(await known()).toEqual([source.id, target.id].sort());
    await breakOff(source.id, target.id);
    expect(await known()).toEqual([target.id]);
    expect(await known(true)).toEqual([source.id, target.id].sort());
    expect(await getTemplate(harness.deps, { ...own(), id: source.id })).toMatchObject({
      id: source.id,
    });
  });

  test('lets no pass in, and is finished by others when the replica that began it is gone', async () => {
    const { source, target } = await migrating();
    const { id } = await harness.pass(source);
    await breakOff(source.id, target.id);
    await expect(harness.pass(source)).rejects.toMatchObject({ httpStatus: 400 });
    await expect(deleteTemplate(harness.deps, { ...own(), id: target.id })).rejects.toMatchObject(
      CONFLICT,
    );
    await finishMigrations(harness.deps);
    expect(await read(id)).toMatchObject({ pass_template_id: source.id });
    harness.clock.advanceMs(61_000);
    await finishMigrations(harness.deps);
    expect(await read(id)).toMatchObject({ pass_template_id: target.id });
    await expect(getTemplate(harness.deps, { ...own(), id: source.id })).rejects.toMatchObject(
      GONE,
    );
  });
});
