import { call } from './support/api';
import { newForm } from './support/enrollment';
import { expectStatus, newWorkspace, type TestWorkspace } from './support/factories';
import { expectRefusal } from './support/referrals';

/** A PNG of one red pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

async function newFile({ token, workspaceId }: TestWorkspace): Promise<string> {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(PIXEL)]), 'dot.png');
  body.set('workspace_id', workspaceId);
  return expectStatus(await call('POST', '/files', { token, body }), 201).body.data.id;
}

describe(':ws/brand', () => {
  test('is asked once: portal, forms, cards and staff app take it, each unless it says otherwise', async () => {
    const workspace = await newWorkspace();
    const logo = await newFile(workspace);
    const brand = {
      name: 'Bohne & Blatt',
      logo,
      colours: { primary: '#FFD500' },
      privacy_url: 'https://s.example/privacy',
      imprint_url: 'https://s.example/imprint',
    };
    const kept = expectStatus(await workspace.put(':ws/brand', brand), 200).body.data;
    expect(kept).toEqual({
      ...brand,
      icon: null,
      colours: { primary: '#FFD500', background: null },
    });
    expect((await workspace.get(':ws/brand')).body.data).toEqual(kept);
    const portal = (await workspace.get(':ws/portal-config')).body.data;
    expect(portal).toMatchObject({
      workspace_name: 'Bohne & Blatt',
      primary_color: '#FFD500',
      logo_url: expect.stringContaining(`/assets/${logo}`),
      privacy_url: brand.privacy_url,
      imprint_url: brand.imprint_url,
    });
    const form = await newForm({ page_enabled: true }, workspace);
    const config = await call('GET', `/embed/distribution/${form.token}/config`);
    expect(config.body).toMatchObject({
      data: { privacy_url: brand.privacy_url, workspace: { name: 'Bohne & Blatt' } },
    });
    const { data: cards } = (await workspace.get(':ws/pass-templates')).body;
    expect(cards[0]).toMatchObject({
      background_color: '#FFD500',
      label_color: '#000000',
      value_color: '#000000',
      logo,
    });
    expectRefusal(await workspace.del(`:ws/files/${logo}`), 409, 'CONFLICT');
  });

  test('takes no picture of somebody else, and nothing that is no address', async () => {
    const [workspace, stranger] = await Promise.all([newWorkspace(), newWorkspace()]);
    const logo = await newFile(stranger);
    expectRefusal(await workspace.put(':ws/brand', { logo }), 400, 'INVALID_PAYLOAD', 'logo');
    for (const body of [
      { privacy_url: 'javascript:alert(1)' },
      { colours: { primary: 'red' } },
      { name: 'a\nb' },
    ])
      expectRefusal(await workspace.put(':ws/brand', body), 400, 'INVALID_PAYLOAD');
    expect((await stranger.get(':ws/brand')).body.data.name).toBeNull();
  });
});
