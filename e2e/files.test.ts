import { randomUUID } from 'node:crypto';
import { call } from './support/api';
import { expectStatus, newWorkspace, type TestWorkspace } from './support/factories';
import { expectRefusal } from './support/referrals';

/** A PNG of one red pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const MAX = 5 * 1024 * 1024;

let workspace: TestWorkspace;
let stranger: TestWorkspace;
beforeAll(async () => {
  [workspace, stranger] = await Promise.all([newWorkspace(), newWorkspace()]);
});

function form(content: Buffer | null, workspace_id: string | null, name = 'dot.png'): FormData {
  const body = new FormData();
  if (content) body.set('file', new Blob([new Uint8Array(content)]), name);
  if (workspace_id !== null) body.set('workspace_id', workspace_id);
  return body;
}
const upload = (content: Buffer | null, workspaceId: string | null = workspace.workspaceId) =>
  call('POST', '/files', { token: workspace.token, body: form(content, workspaceId) });

/** What the head of a PNG says of its size. */
async function sizeOf(path: string): Promise<{ type: string | null; size: number[] }> {
  const url = new URL(path, process.env.LAUREL_BASE_URLS!.split(',')[0]);
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    type: response.headers.get('content-type'),
    size: [bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
  };
}

describe('files', () => {
  test('are noted in the audit log of their workspace when they are uploaded', async () => {
    const { id } = expectStatus(await upload(PIXEL), 201).body.data;
    const { data } = expectStatus(await workspace.get(':ws/audit-log', { limit: 1 }), 200).body;
    const noted = { action: 'files.create', entity: 'file', entity_id: id };
    expect(data).toEqual([expect.objectContaining(noted)]);
  });

  test('are kept with what they are by content, and public by their id', async () => {
    const { data } = expectStatus(await upload(PIXEL), 201).body;
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      filename: 'dot.png',
      mime_type: 'image/png',
      size: PIXEL.length,
      width: 1,
      height: 1,
      warnings: [],
    });
    const reply = expectStatus(await call('GET', `!/assets/${data.id}`), 200);
    expect(reply.headers.get('content-type')).toBe('image/png');
    expect(reply.headers.get('cache-control')).toContain('max-age');
    expect(await sizeOf(`/assets/${data.id}?width=40&height=20`)).toEqual({
      type: 'image/png',
      size: [40, 20],
    });
    expect((await sizeOf(`/assets/${data.id}?width=30&height=10&fit=contain`)).size).toEqual([
      30, 10,
    ]);
  });

  test('are warned of where they will look poor as what they are for', async () => {
    const body = form(PIXEL, workspace.workspaceId);
    body.set('purpose', 'logo');
    const send = () => call('POST', '/files', { token: workspace.token, body });
    const { warnings } = expectStatus(await send(), 201).body.data;
    expect(warnings.map(({ code }: { code: string }) => code)).toContain('too_small');
    body.set('purpose', 'wallpaper');
    expectRefusal(await send(), 400, 'INVALID_PAYLOAD', 'purpose');
  });

  test('that come again under their Idempotency-Key are the file they were; another is refused', async () => {
    const owner = await newWorkspace();
    const headers = { 'Idempotency-Key': randomUUID() };
    const send = (name: string) => {
      const body = form(PIXEL, owner.workspaceId, name);
      return call('POST', '/files', { token: owner.token, body, headers });
    };
    const first = expectStatus(await send('dot.png'), 201);
    const again = expectStatus(await send('dot.png'), 201);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expectRefusal(await send('other.png'), 409, 'CONFLICT');
    expect((await owner.get(':ws/files')).body.data).toHaveLength(1);
  });

  test('name an image of a template', async () => {
    const { id } = (await upload(PIXEL)).body.data;
    const { id: project_id } = (await workspace.post(':ws/projects', { name: 'P' })).body.data;
    const template = { project_id, name: 'Card', logo: id };
    expect(
      expectStatus(await workspace.post(':ws/pass-templates', template), 201).body.data.logo,
    ).toBe(id);
    const preview = await workspace.post(':ws/image-source/preview', { raw: id });
    expect(expectStatus(preview, 200).body.data).toEqual({
      kind: 'uuid',
      raw: id,
      url: expect.stringContaining(`/assets/${id}`),
      previewUrl: expect.stringContaining(`/assets/${id}`),
      cachedFileId: null,
      valid: true,
    });
    const foreign = await stranger.post(':ws/image-source/preview', { raw: id });
    expect(foreign.body.data).toMatchObject({ kind: 'uuid', valid: false });
  });

  test('must be images', async () => {
    const text = Buffer.from('no image at all, whatever it is called');
    expectRefusal(await upload(text), 400, 'INVALID_PAYLOAD', 'file');
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
    expectRefusal(await upload(svg), 400, 'INVALID_PAYLOAD', 'file');
    expectRefusal(await upload(PIXEL.subarray(0, 20)), 400, 'INVALID_PAYLOAD', 'file');
    expectRefusal(await upload(null), 400, 'INVALID_PAYLOAD', 'file');
  });

  test('are of 5 MiB at most', async () => {
    const large = Buffer.concat([PIXEL, Buffer.alloc(MAX)]);
    expectRefusal(await upload(large), 413, 'PAYLOAD_TOO_LARGE');
  });

  test('belong to a workspace that the caller is a member of', async () => {
    const unnamed = await upload(PIXEL, null);
    expectRefusal(unnamed, 400, 'INVALID_PAYLOAD', 'workspace_id');
    expect(unnamed.body.errors[0].message).toBe('workspace_id is required');
    expectRefusal(await upload(PIXEL, 'x'), 400, 'INVALID_PAYLOAD', 'workspace_id');
    expectStatus(await upload(PIXEL, stranger.workspaceId), 403);
    expectStatus(await call('POST', '/files', { body: form(PIXEL, workspace.workspaceId) }), 403);
    expectStatus(await workspace.post('/files', { workspace_id: workspace.workspaceId }), 415);
  });

  test('that are unknown, or asked for in a size that is none, are refused', async () => {
    expectRefusal(await call('GET', `!/assets/${randomUUID()}`), 404, 'RECORD_NOT_FOUND');
    const { id } = (await upload(PIXEL)).body.data;
    for (const query of ['width=2001', 'height=0', 'fit=fill', 'width=x'])
      expectStatus(await call('GET', `!/assets/${id}?${query}`), 400);
  });
});

describe('files of a workspace', () => {
  test('are listed newest first, page by page, and no other workspace’s', async () => {
    const owner = await newWorkspace();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const body = form(PIXEL, owner.workspaceId);
      const reply = await call('POST', '/files', { token: owner.token, body });
      ids.unshift(expectStatus(reply, 201).body.data.id);
    }
    const first = expectStatus(await owner.get(':ws/files', { limit: '2' }), 200).body;
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    expect(first.data[0]).toMatchObject({
      filename: 'dot.png',
      mime_type: 'image/png',
      date_created: expect.any(String),
    });
    const cursor = first.meta.next_cursor;
    const rest = expectStatus(await owner.get(':ws/files', { limit: '2', cursor }), 200).body;
    expect(rest.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect(rest.meta.next_cursor).toBeNull();
    expectStatus(await owner.get(':ws/files', { cursor: 'x' }), 400);
    expectStatus(await owner.get(':ws/files', { limit: '1000' }), 200);
    expectStatus(await owner.get(':ws/files', { limit: '1001' }), 400);
    expectStatus(await stranger.get(`/workspace/${owner.workspaceId}/files`), 403);
  });

  test('go with their picture, and are then not found', async () => {
    const { id } = (await upload(PIXEL)).body.data;
    expectStatus(await call('GET', `!/assets/${id}?width=10`), 200);
    const path = `:ws/files/${id}`;
    expectRefusal(await stranger.del(path), 404, 'RECORD_NOT_FOUND');
    expect(expectStatus(await workspace.del(path), 200).body).toEqual({
      message: expect.any(String),
    });
    expectRefusal(await call('GET', `!/assets/${id}`), 404, 'RECORD_NOT_FOUND');
    expectRefusal(await call('GET', `!/assets/${id}?width=10`), 404, 'RECORD_NOT_FOUND');
    expectRefusal(await workspace.del(path), 404, 'RECORD_NOT_FOUND');
  });

  test('stay while a template, reward, pass, the portal or the staff app shows them, which are named', async () => {
    const { id } = (await upload(PIXEL)).body.data;
    const { id: project_id } = (await workspace.post(':ws/projects', { name: 'P' })).body.data;
    const template = expectStatus(
      await workspace.post(':ws/pass-templates', { project_id, name: 'Card', logo: id }),
      201,
    ).body.data;
    const used = async () => {
      const refused = await workspace.del(`:ws/files/${id}`);
      expectRefusal(refused, 409, 'CONFLICT');
      return refused.body.errors[0].extensions.used_by;
    };
    expect(await used()).toEqual([{ type: 'pass_template', id: template.id, name: 'Card' }]);
    const reward = expectStatus(
      await workspace.post(':ws/rewards', { name: 'Cake', cost_in_points: 1, image: id }),
      200,
    ).body.data;
    const pass = expectStatus(
      await workspace.post(':ws/passes', {
        project_id,
        pass_template_id: template.id,
        pass_fields: { logo: id },
      }),
      201,
    ).body.data;
    const logo_url = `https://loyalty.example/assets/${id}`;
    expectStatus(await workspace.put(':ws/portal-config', { logo_url }), 200);
    const staffApp = { app_config: { logo_url } };
    expectStatus(await workspace.post(':ws/mobile-app-config', staffApp), 201);
    const types = (await used()).map(({ type }: { type: string }) => type);
    expect(types).toEqual(['pass_template', 'pass', 'mobile_app', 'reward', 'portal_config']);
    expectStatus(await workspace.put(':ws/portal-config', { logo_url: null }), 200);
    expectStatus(await workspace.del(':ws/mobile-app-config'), 204);
    expectStatus(await workspace.del(`:ws/rewards/${reward.id}`), 200);
    expectStatus(await workspace.del(`/passes/${pass.id}`), 200);
    expectStatus(await workspace.patch(`/pass-templates/${template.id}`, { logo: null }), 200);
    expectStatus(await workspace.del(`:ws/files/${id}`), 200);
  });
});

describe('image sources', () => {
  test.each([
    ['${custom_fields.photo}', { kind: 'custom_field', valid: true }],
    ['https://images.example.com/a.png', { kind: 'url', valid: true, cachedFileId: null }],
    ['http://images.example.com/a.png', { kind: 'url', valid: false }],
    ['https://169.254.169.254/latest', { kind: 'url', valid: false }],
    ['https://localhost/a.png', { kind: 'url', valid: false }],
    ['nonsense', { kind: 'url', valid: false }],
    ['', { kind: 'empty' }],
  ])('%s is recognized for what it is', async (raw, expected) => {
    const { data } = expectStatus(
      await workspace.post(':ws/image-source/preview', { raw }),
      200,
    ).body;
    expect(data).toMatchObject({ raw, ...expected });
    if (!data.valid) expect(data.reason).toEqual(expect.any(String));
  });

  test('are fetched anew when asked, known or not', async () => {
    const sourceUrl = 'https://images.example.com/a.png';
    const reply = await workspace.post(':ws/image-source/refresh', { sourceUrl });
    expect(expectStatus(reply, 200).body).toEqual({ success: true });
    for (const wrong of [{}, { sourceUrl: 'ftp://a.example.com/b' }, { sourceUrl: 'x' }])
      expectRefusal(
        await workspace.post(':ws/image-source/refresh', wrong),
        400,
        'INVALID_PAYLOAD',
        'sourceUrl',
      );
  });
});
