import { randomUUID } from 'node:crypto';
import { call, callerFor } from './support/api';
import { expectStatus, newMember, newWorkspace, type TestWorkspace } from './support/factories';
import { newProject, passOn } from './support/passes';
import { expectRefusal } from './support/referrals';

let workspace: TestWorkspace;
let stranger: TestWorkspace;
beforeAll(async () => {
  [workspace, stranger] = await Promise.all([newWorkspace(), newWorkspace()]);
});

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
const templateIn = async (project_id: string) =>
  expectStatus(await workspace.post(':ws/pass-templates', { project_id, name: 'Card' }), 201).body
    .data;

describe('projects', () => {
  test('keep keys of the workspace’s own, and what the server sets is not theirs to choose', async () => {
    const own = { name: 'Bakery', colour: { deep: [1, null] }, 'a.b': 'x', id: 'mine' };
    const body = { ...own, workspace_id: randomUUID(), user_created: 'me' };
    const { data } = expectStatus(await workspace.post(':ws/projects', body), 201).body;
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Bakery',
      workspace_id: workspace.workspaceId,
      colour: { deep: [1, null] },
      'a.b': 'x',
      date_created: timestamp,
      user_created: workspace.owner.id,
      user_updated: null,
    });
    const member = await newMember(workspace);
    const changes = { name: 'Café', size: 2, workspace_id: stranger.workspaceId };
    const changed = expectStatus(await member.patch(`/projects/${data.id}`, changes), 200).body
      .data;
    expect(changed).toEqual({ ...data, name: 'Café', size: 2, user_updated: member.user.id });
    expect((await workspace.get(`/projects/${data.id}`)).body.data).toEqual(changed);
  });

  test('are listed newest first', async () => {
    const own = await newWorkspace();
    const ids = [await newProject(own), await newProject(own)];
    const { data } = expectStatus(await own.get(':ws/projects'), 200).body;
    expect(data.map((project: { id: string }) => project.id)).toEqual(ids.reverse());
  });

  test('count and list what is in them', async () => {
    const id = await newProject(workspace);
    const templates = [await templateIn(id), await templateIn(id)];
    const passes = [await passOn(workspace, templates[0]), await passOn(workspace, templates[1])];
    const ids = (rows: { id: string }[]) => rows.map((row) => row.id);
    const read = async (what: string) =>
      expectStatus(await workspace.get(`/projects/${id}/${what}`), 200).body.data;
    expect(await read('stats')).toEqual({ templateCount: 2, passCount: 2 });
    expect(ids(await read('templates'))).toEqual(ids(templates).reverse());
    expect(ids(await read('passes'))).toEqual(ids(passes).reverse());
    expect(await read('distributions')).toEqual([]);
  });

  test('are deleted with their templates, but not while they have passes', async () => {
    const id = await newProject(workspace);
    const template = await templateIn(id);
    const pass = await passOn(workspace, template);
    expectRefusal(await workspace.del(`/projects/${id}`), 409, 'CONFLICT');
    expectStatus(await workspace.del(`/passes/${pass.id}`), 200);
    expect(expectStatus(await workspace.del(`/projects/${id}`), 200).body).toEqual({
      message: expect.any(String),
    });
    for (const path of [`/projects/${id}`, `/pass-templates/${template.id}`])
      expectRefusal(await workspace.get(path), 404, 'RECORD_NOT_FOUND');
  });

  test.each([[{}], [{ name: '' }], [{ name: 5 }], [{ name: 'x'.repeat(256) }]])(
    'need a name: %j',
    async (body) => {
      expectRefusal(await workspace.post(':ws/projects', body), 400, 'INVALID_PAYLOAD', 'name');
    },
  );

  test('do not exist for strangers, and need a credential', async () => {
    const id = await newProject(workspace);
    const unknown = (await stranger.get(`/projects/${randomUUID()}`)).body;
    for (const path of ['', '/stats', '/templates', '/passes', '/distributions']) {
      const reply = expectStatus(await stranger.get(`/projects/${id}${path}`), 404);
      expect(reply.body).toEqual(unknown);
    }
    expectStatus(await stranger.patch(`/projects/${id}`, { name: 'Mine' }), 404);
    expectStatus(await stranger.del(`/projects/${id}`), 404);
    expectStatus(await callerFor(stranger.token, workspace.workspaceId).get(':ws/projects'), 403);
    expectStatus(await call('GET', `/projects/${id}`), 403);
    expectRefusal(await workspace.get('/projects/x'), 400, 'INVALID_PAYLOAD', 'id');
  });
});
