import { randomUUID } from 'node:crypto';
import { answers, newForm, newTemplate, submit } from './support/enrollment';
import { expectStatus, newMember, newWorkspace, type TestWorkspace } from './support/factories';
import { expectRefusal } from './support/referrals';

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let workspace: TestWorkspace;
let stranger: TestWorkspace;
let place: { project_id: string; pass_template_id: string };
beforeAll(async () => {
  [workspace, stranger] = await Promise.all([newWorkspace(), newWorkspace()]);
  const { projectId, templateId } = await newTemplate(workspace);
  place = { project_id: projectId, pass_template_id: templateId };
});

const create = (overrides: object = {}) =>
  workspace.post(':ws/distributions', { ...place, name: 'Counter', ...overrides });
const created = async (overrides: object = {}) =>
  expectStatus(await create(overrides), 201).body.data;

test('a distribution is created with its defaults and read back', async () => {
  const made = await created();
  expect(made).toEqual({
    id: uuid,
    workspace_id: workspace.workspaceId,
    ...place,
    name: 'Counter',
    delivery_mode: 'embed',
    status: 'active',
    form_fields_config: [],
    require_marketing_consent: false,
    allowed_origins: [],
    page_enabled: false,
    privacy_url: null,
    terms_url: null,
    starts_at: null,
    ends_at: null,
    submission_limit: null,
    public_url: null,
    api_token_prefix: null,
    date_created: moment,
    date_updated: moment,
    user_created: workspace.owner.id,
    user_updated: null,
  });
  const read = await workspace.get(`:ws/distributions/${made.id}`);
  expect(expectStatus(read, 200).body).toEqual({ data: made });
});

test('a page has an address; it is on where passes are given out by page', async () => {
  const page = await created({ delivery_mode: 'page' });
  expect(page.page_enabled).toBe(true);
  expect(new URL(page.public_url).pathname).toBe(`/d/${page.id}`);
  expect((await created({ delivery_mode: 'page', page_enabled: false })).public_url).toBeNull();
  expect((await created({ page_enabled: true })).public_url).toMatch(/\/d\//);
});

test('distributions are listed newest first, as a whole or in parts, and those of a project under it', async () => {
  const owner = await newWorkspace();
  const [older, newer] = [await newForm({}, owner), await newForm({}, owner)];
  const ids = async (path: string) =>
    expectStatus(await owner.get(path), 200).body.data.map(({ id }: { id: string }) => id);
  expect(await ids(':ws/distributions')).toEqual([newer.id, older.id]);
  expect(await ids(':ws/distributions?limit=1')).toEqual([newer.id]);
  expect(await ids(':ws/distributions?limit=10&offset=1')).toEqual([older.id]);
  expectStatus(await owner.get(':ws/distributions?limit=1001'), 400);
  expect(await ids(`/projects/${older.projectId}/distributions`)).toEqual([older.id]);
});

test('what is changed holds, what is not stays', async () => {
  const { id } = await created({ form_fields_config: [{ name: 'city', label: 'City' }] });
  const change = {
    name: 'Door',
    status: 'paused',
    page_enabled: true,
    require_marketing_consent: true,
  };
  const changed = expectStatus(await workspace.patch(`:ws/distributions/${id}`, change), 200).body
    .data;
  expect(changed).toMatchObject({ ...change, ...place, user_updated: workspace.owner.id });
  expect(changed.public_url).toMatch(/\/d\//);
  expect(changed.form_fields_config).toEqual([
    { name: 'city', label: 'City', type: 'text', required: false },
  ]);
});

test.each([
  ['name', { name: '' }],
  ['name', { name: undefined }],
  ['project_id', { project_id: randomUUID() }],
  ['pass_template_id', { pass_template_id: randomUUID() }],
  ['pass_template_id', { pass_template_id: undefined }],
  ['delivery_mode', { delivery_mode: 'post' }],
  ['status', { status: 'open' }],
  ['page_enabled', { page_enabled: 'yes' }],
  ['allowed_origins.0', { allowed_origins: ['shop.example'] }],
  ['allowed_origins.0', { allowed_origins: ['https://shop.example/path'] }],
  ['allowed_origins.0', { allowed_origins: ['https://*.com'] }],
  ['allowed_origins.0', { allowed_origins: ['https://shop.*.example'] }],
  ['allowed_origins.0', { allowed_origins: ['https://*shop.example'] }],
  ['privacy_url', { privacy_url: 'javascript:alert(1)' }],
  ['terms_url', { terms_url: 'shop.example/terms' }],
  ['starts_at', { starts_at: 'soon' }],
  ['ends_at', { starts_at: '2026-01-02T00:00:00Z', ends_at: '2026-01-02T00:00:00Z' }],
  ['submission_limit', { submission_limit: 0 }],
  ['submission_limit', { submission_limit: 1.5 }],
  ['form_fields_config.0', { form_fields_config: [null, null] }],
  ['form_fields_config.0.label', { form_fields_config: [{ name: 'city' }] }],
  ['form_fields_config.0.name', { form_fields_config: [{ name: 'Home city', label: 'x' }] }],
  ['form_fields_config.0.type', { form_fields_config: [{ name: 'a', label: 'x', type: 'file' }] }],
  [
    'form_fields_config.0.options',
    { form_fields_config: [{ name: 'a', label: 'x', type: 'select' }] },
  ],
  [
    'form_fields_config.1',
    {
      form_fields_config: [
        { name: 'a', label: 'x' },
        { name: 'a', label: 'y' },
      ],
    },
  ],
  ['surprise', { surprise: 1 }],
])('%s is refused when it is wrong (%j)', async (field, wrong) => {
  expectRefusal(await create(wrong), 400, 'INVALID_PAYLOAD', field);
});

test('times, limit and links are taken, shown in UTC, and taken away again', async () => {
  const fields = {
    privacy_url: 'https://shop.example/privacy',
    terms_url: 'https://shop.example/terms',
    submission_limit: 5,
  };
  const times = { starts_at: '2026-01-01T01:00:00+01:00', ends_at: '2026-02-01T00:00:00Z' };
  const made = await created({ ...fields, ...times });
  const shown = { starts_at: '2026-01-01T00:00:00.000Z', ends_at: '2026-02-01T00:00:00.000Z' };
  expect(made).toMatchObject({ ...fields, ...shown });
  const path = `:ws/distributions/${made.id}`;
  const early = { ends_at: '2025-12-31T00:00:00Z' };
  expectRefusal(await workspace.patch(path, early), 400, 'INVALID_PAYLOAD', 'ends_at');
  const none = {
    privacy_url: null,
    terms_url: null,
    starts_at: null,
    ends_at: null,
    submission_limit: null,
  };
  const { data } = expectStatus(await workspace.patch(path, none), 200).body;
  expect(data).toMatchObject(none);
});

test('the code of a page is a picture or a drawing in the size asked for', async () => {
  const { id } = await created({ page_enabled: true });
  const path = `:ws/distributions/${id}/qr`;
  const picture = expectStatus(await workspace.get(path), 200);
  expect(picture.headers.get('content-type')).toBe('image/png');
  const drawing = expectStatus(await workspace.get(path, { format: 'svg', size: '400' }), 200);
  expect(drawing.headers.get('content-type')).toContain('image/svg+xml');
  expect(drawing.text).toContain('width="400"');
  for (const wrong of ['format=gif', 'size=0', 'size=x', 'size=100000'])
    expectStatus(await workspace.get(`${path}?${wrong}`), 400);
  const without = await created();
  const none = await workspace.get(`:ws/distributions/${without.id}/qr`);
  expectRefusal(none, 404, 'RECORD_NOT_FOUND');
  expectRefusal(await stranger.get(path), 404, 'RECORD_NOT_FOUND');
});

test('template and project must match, when created and when changed', async () => {
  const other = await newTemplate(workspace);
  const mixed = { pass_template_id: other.templateId };
  expectRefusal(await create(mixed), 400, 'INVALID_PAYLOAD', 'pass_template_id');
  const { id } = await created();
  const path = `:ws/distributions/${id}`;
  expectRefusal(await workspace.patch(path, mixed), 400, 'INVALID_PAYLOAD', 'pass_template_id');
  const both = { project_id: other.projectId, ...mixed };
  expect(expectStatus(await workspace.patch(path, both), 200).body.data).toMatchObject(both);
});

test('another workspace finds nothing of it', async () => {
  const { id } = await created();
  const path = `:ws/distributions/${id}`;
  for (const reply of [
    await stranger.get(path),
    await stranger.patch(path, { name: 'Mine' }),
    await stranger.del(path),
    await stranger.post(`${path}/api-token/rotate`),
    await stranger.get(`/projects/${place.project_id}/distributions`),
  ])
    expectRefusal(reply, 404, 'RECORD_NOT_FOUND');
  const theirs = await stranger.post(':ws/distributions', { ...place, name: 'Mine' });
  expectRefusal(theirs, 400, 'INVALID_PAYLOAD', 'project_id');
  const foreign = `/workspace/${workspace.workspaceId}/distributions`;
  expectRefusal(await stranger.get(foreign), 403, 'FORBIDDEN');
});

test('a member manages distributions; the token is shown once and its prefix stays', async () => {
  const member = await newMember(workspace);
  const { id } = await created();
  const path = `:ws/distributions/${id}`;
  const { body } = expectStatus(await member.post(`${path}/api-token/rotate`), 200);
  expect(body).toEqual({
    data: { distribution_id: id, token: expect.any(String), prefix: expect.any(String) },
    message: expect.any(String),
  });
  expect(body.data.token.startsWith(body.data.prefix)).toBe(true);
  const { body: read } = expectStatus(await member.get(path), 200);
  expect(read.data.api_token_prefix).toBe(body.data.prefix);
  expect(JSON.stringify(read)).not.toContain(body.data.token);
});

test('a deleted distribution gives nothing out any more; what it gave stays', async () => {
  const form = await newForm({}, workspace);
  const { pass_id } = expectStatus(await submit(form, answers()), 200).body.data;
  const path = `:ws/distributions/${form.id}`;
  expect(expectStatus(await workspace.del(path), 200).body).toEqual({
    message: expect.any(String),
  });
  expectRefusal(await workspace.del(path), 404, 'RECORD_NOT_FOUND');
  expectRefusal(await submit(form, answers()), 404, 'RECORD_NOT_FOUND');
  expectStatus(await workspace.get(`/passes/${pass_id}`), 200);
});

test('a template that is given out stays, and goes with its project', async () => {
  const form = await newForm({}, workspace);
  const refused = await workspace.del(`/pass-templates/${form.templateId}`);
  expectRefusal(refused, 409, 'CONFLICT');
  expectStatus(await workspace.del(`/projects/${form.projectId}`), 200);
  expectRefusal(await workspace.get(`:ws/distributions/${form.id}`), 404, 'RECORD_NOT_FOUND');
});
