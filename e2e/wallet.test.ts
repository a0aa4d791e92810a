import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import { call, type Reply } from './support/api';
import {
  expectStatus,
  newMember,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';
import { newTemplate } from './support/passes';
import { follow, type Issued, issuePass, openBundle, Phone } from './support/wallet';

const DESIGN = {
  background_color: '#1F4D3A',
  logo_text: 'Bean & Leaf',
  top_field_label: 'Beans',
  top_field_value: '${wallet.points}',
  front_fields: [{ label: 'Member', value: '{{first_name}}' }],
  show_loyalty_portal_link_on_back: true,
};

let workspace: TestWorkspace;
let stranger: TestWorkspace;
let issued: Issued;
beforeAll(async () => {
  [workspace, stranger] = await Promise.all([newWorkspace(), newWorkspace()]);
  await newWalletType(workspace, { code: 'beans' });
  expectStatus(await workspace.put(':ws/portal-config', { is_enabled: true }), 200);
  issued = await issuePass(workspace, DESIGN);
});

const phoneWith = async ({ pass }: Issued): Promise<Phone> =>
  new Phone(randomUUID(), openBundle((await follow(pass.apple_pass_url)).bytes).pass);

const withSignature = (link: string, change: (signature: string) => string): string => {
  const url = new URL(link);
  const [empty, p, id, signature, ...rest] = url.pathname.split('/');
  url.pathname = [empty, p, id, change(signature!), ...rest].join('/');
  return url.href;
};
const otherFirst = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);

function expectRefused(reply: Reply, status: number, code: string, field?: string): void {
  expectStatus(reply, status);
  expect(reply.body.errors[0].extensions).toMatchObject({ code, ...(field ? { field } : {}) });
}

describe('the links of a pass', () => {
  test('lead to a signed .pkpass that shows the client', async () => {
    const { bytes, headers } = await follow(issued.pass.apple_pass_url);
    expect(headers.get('content-type')).toBe('application/vnd.apple.pkpass');
    expect(Date.parse(headers.get('last-modified')!)).toBeLessThanOrEqual(Date.now() + 1_000);
    const { names, pass } = openBundle(bytes);
    expect(names).toEqual(['icon.png', 'icon@2x.png', 'icon@3x.png', 'pass.json']);
    expect(pass).toMatchObject({
      formatVersion: 1,
      serialNumber: issued.pass.id,
      organizationName: 'Coffee Corner',
      logoText: 'Bean & Leaf',
      backgroundColor: 'rgb(31, 77, 58)',
      barcodes: [{ format: 'PKBarcodeFormatQR', message: issued.pass.barcode_value }],
      storeCard: {
        headerFields: [{ label: 'Beans', value: '0' }],
        primaryFields: [{ label: 'Member', value: 'Ada' }],
      },
    });
    expect(pass.authenticationToken.length).toBeGreaterThanOrEqual(16);
  });

  test('answer 304 while nothing changed', async () => {
    const own = await issuePass(workspace, DESIGN);
    const first = await follow(own.pass.apple_pass_url);
    const since = { 'If-Modified-Since': first.headers.get('last-modified')! };
    expectStatus(await follow(own.pass.apple_pass_url, since), 304);
    const renamed = { logo_text: 'Another name' };
    expectStatus(await workspace.patch(`/pass-templates/${own.templateId}`, renamed), 200);
    const changed = await follow(own.pass.apple_pass_url, since);
    expect(openBundle(expectStatus(changed, 200).bytes).pass.logoText).toBe('Another name');
  });

  test('lead on to a Google save link that carries the pass', async () => {
    const reply = expectStatus(await follow(issued.pass.google_pass_url), 302);
    const address = new URL(reply.headers.get('location')!);
    expect(address.pathname).toMatch(/^\/gp\/v\/save\/[\w-]+\.[\w-]+\.[\w-]+$/);
    const [, claims = ''] = address.pathname.split('/').at(-1)!.split('.');
    const { aud, typ, payload } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect({ aud, typ }).toEqual({ aud: 'google', typ: 'savetowallet' });
    expect(payload.loyaltyObjects[0]).toMatchObject({
      barcode: { type: 'QR_CODE', value: issued.pass.barcode_value },
      loyaltyPoints: { label: 'Beans', balance: { string: '0' } },
    });
    const { headers } = expectStatus(
      await follow(payload.loyaltyClasses[0].programLogo.sourceUri.uri),
      200,
    );
    expect(headers.get('content-type')).toBe('image/png');
  });

  test('come as QR codes', async () => {
    for (const link of [issued.pass.apple_qrcode_url, issued.pass.google_qrcode_url]) {
      const { headers, bytes } = expectStatus(await follow(link), 200);
      expect(headers.get('content-type')).toBe('image/png');
      expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    }
  });

  test('with a bad signature are as unknown as those of no pass', async () => {
    const { apple_pass_url, apple_qrcode_url, google_pass_url, google_qrcode_url } = issued.pass;
    const other = await issuePass(workspace);
    for (const link of [apple_pass_url, apple_qrcode_url, google_pass_url, google_qrcode_url]) {
      const signatureOfOther = new URL(other.pass.apple_pass_url).pathname.split('/')[3]!;
      for (const change of [otherFirst, () => 'x', () => signatureOfOther, (s: string) => `${s}A`])
        expectRefused(await follow(withSignature(link, change)), 404, 'RECORD_NOT_FOUND');
      const unknown = link.replace(issued.pass.id, randomUUID());
      expectRefused(await follow(unknown), 404, 'RECORD_NOT_FOUND');
    }
  });

  test('show neither the client nor the workspace, on the pass either', async () => {
    const { bytes } = await follow(issued.pass.apple_pass_url);
    const held = JSON.stringify(openBundle(bytes).pass);
    const location = (await follow(issued.pass.google_pass_url)).headers.get('location')!;
    const claims = Buffer.from(location.split('.').at(-2)!, 'base64url').toString();
    for (const text of [held, claims, JSON.stringify(issued.pass.apple_pass_url)]) {
      expect(text).not.toContain(issued.clientId);
      expect(text).not.toContain(workspace.workspaceId);
    }
    expect(held).toMatch(/\/portal\/[a-z0-9-]+\?token=/);
  });

  test('end with the pass', async () => {
    const own = await issuePass(workspace, DESIGN);
    const phone = await phoneWith(own);
    expectStatus(await workspace.del(`/passes/${own.pass.id}`), 200);
    expectRefused(await follow(own.pass.google_pass_url), 404, 'RECORD_NOT_FOUND');
    for (const reply of [await follow(own.pass.apple_pass_url), await phone.latest()])
      expect(openBundle(expectStatus(reply, 200).bytes).pass.voided).toBe(true);
  });
});

describe('the PassKit web service', () => {
  const lifecycle = async (passId: string): Promise<string[]> => {
    const query = { pass_id: passId, event_category: 'pass_lifecycle' };
    const { body } = expectStatus(await workspace.get(':ws/events', query), 200);
    return body.data.map(({ event_type }: { event_type: string }) => event_type).sort();
  };
  const counts = async () =>
    expectStatus(await workspace.get(':ws/passes/aggregate'), 200).body.data;

  test('registers a device once, and tells of the first one as an installation', async () => {
    const own = await issuePass(workspace, DESIGN);
    const before = await counts();
    const phone = await phoneWith(own);
    const watch = await phoneWith(own);
    expectStatus(await phone.register(), 201);
    expectStatus(await phone.register(), 200);
    expectStatus(await watch.register(), 201);
    expect(await counts()).toMatchObject({ total: before.total, apple: before.apple + 1 });
    const installed = ['pass_installed', 'pass_registered', 'pass_registered'];
    await until(async () => (await lifecycle(own.pass.id)).length === installed.length);
    expect(await lifecycle(own.pass.id)).toEqual(installed);

    expectStatus(await phone.unregister(), 200);
    expectStatus(await watch.unregister(), 200);
    expectStatus(await watch.unregister(), 200);
    expect((await counts()).apple).toBe(before.apple);
    await until(async () => (await lifecycle(own.pass.id)).includes('pass_uninstalled'));
    expect(await lifecycle(own.pass.id)).toEqual([...installed, 'pass_uninstalled']);
  });

  test('tells of one installation however many devices register at once', async () => {
    const own = await issuePass(workspace, DESIGN);
    const phones = await Promise.all(Array.from({ length: 6 }, () => phoneWith(own)));
    const replies = await Promise.all(phones.map((phone) => phone.register()));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(201));
    await until(async () => (await lifecycle(own.pass.id)).length === 7);
    const told = await lifecycle(own.pass.id);
    expect(told.filter((type) => type === 'pass_installed')).toHaveLength(1);
  });

  test('says which passes changed, and gives the latest version of each', async () => {
    const own = await issuePass(workspace, DESIGN);
    const phone = await phoneWith(own);
    expectStatus(await phone.changed(), 204);
    expectStatus(await phone.register(), 201);
    const { body } = expectStatus(await phone.changed(), 200);
    expect(body).toEqual({ serialNumbers: [own.pass.id], lastUpdated: expect.any(String) });
    expectStatus(await phone.changed(body.lastUpdated), 204);
    const { headers } = expectStatus(await phone.latest(), 200);
    const since = { 'If-Modified-Since': headers.get('last-modified')! };
    expectStatus(await phone.latest(since), 304);

    const news = { notification: 'Two for one today' };
    expectStatus(await workspace.patch(`/passes/${own.pass.id}`, news), 200);
    const changed = await until(async () => {
      const reply = await phone.changed(body.lastUpdated);
      return reply.status === 200 && reply;
    });
    expect(changed.body.serialNumbers).toEqual([own.pass.id]);
    expect(Number(changed.body.lastUpdated)).toBeGreaterThan(Number(body.lastUpdated));
    const { pass } = openBundle(expectStatus(await phone.latest(since), 200).bytes);
    expect(pass.storeCard.backFields).toContainEqual(
      expect.objectContaining({ value: 'Two for one today', changeMessage: '%@' }),
    );
    expectStatus(await phone.changed(changed.body.lastUpdated), 204);
  });

  test.each([
    ['points', { top: '25' }],
    ['the client', { first: 'Grace' }],
    ['the template', { logo: 'Renamed' }],
  ])('hears of a change of %s within seconds', async (what, expected) => {
    const own = await issuePass(workspace, DESIGN);
    const phone = await phoneWith(own);
    expectStatus(await phone.register(), 201);
    const { lastUpdated } = expectStatus(await phone.changed(), 200).body;
    const change = {
      points: () =>
        workspace.post(':ws/loyalty/points/earn', {
          client_id: own.clientId,
          amount: 25,
          source_type: 'manual',
        }),
      'the client': () => workspace.patch(`:ws/clients/${own.clientId}`, { first_name: 'Grace' }),
      'the template': () =>
        workspace.patch(`/pass-templates/${own.templateId}`, { logo_text: 'Renamed' }),
    }[what]!;
    expect((await change()).status).toBeLessThan(300);
    await until(async () => (await phone.changed(lastUpdated)).status === 200);
    // What it hears first may be of something older.
    await until(async () => {
      const { pass } = openBundle(expectStatus(await phone.latest(), 200).bytes);
      const shown = {
        top: pass.storeCard.headerFields[0].value,
        first: pass.storeCard.primaryFields[0].value,
        logo: pass.logoText,
      };
      expect(shown).toMatchObject(expected);
      return true;
    });
  });

  test('knows only the token of the pass, and answers 401 to anything else', async () => {
    const [own, other] = [await issuePass(workspace, DESIGN), await issuePass(workspace, DESIGN)];
    const phone = await phoneWith(own);
    const held = openBundle((await follow(other.pass.apple_pass_url)).bytes).pass;
    const credentials: Record<string, string>[] = [
      {},
      { Authorization: 'ApplePass x' },
      { Authorization: `ApplePass ${held.authenticationToken}` },
      { Authorization: `Bearer ${workspace.token}` },
    ];
    for (const credential of credentials) {
      expectStatus(await phone.register(credential), 401);
      expectStatus(await phone.unregister(credential), 401);
      expectStatus(await call('GET', passPath(own), { headers: credential }), 401);
    }
    expectStatus(await phone.changed(), 204);
  });

  const passPath = ({ pass }: Issued) => `!/apple/v1/passes/pass.local.laurel/${pass.id}`;

  test('answers a serial number that is no pass like a wrong token', async () => {
    const held = openBundle((await follow(issued.pass.apple_pass_url)).bytes).pass;
    for (const serialNumber of [randomUUID(), 'nothing'])
      expectStatus(await new Phone('phone', { ...held, serialNumber }).latest(), 401);
    const passTypeIdentifier = 'pass.com.other';
    expectStatus(await new Phone('phone', { ...held, passTypeIdentifier }).register(), 401);
  });

  test('refuses a registration without a push token', async () => {
    const phone = await phoneWith(issued);
    const reply = await call('POST', phone.registration, { body: {} });
    expectRefused(reply, 400, 'INVALID_PAYLOAD', 'pushToken');
  });

  test('takes what phones complain about', async () => {
    const log = '!/apple/v1/log';
    expectStatus(await call('POST', log, { body: { logs: ['unreadable pass'] } }), 200);
    expectRefused(await call('POST', log, { body: {} }), 400, 'INVALID_PAYLOAD', 'logs');
  });
});

describe('a preview', () => {
  const preview = (query: Record<string, string> = {}, caller = workspace) =>
    caller.get(`:ws/pass-templates/${issued.templateId}/preview`, query);

  test.each(['apple', 'google'])('is a picture of the card for %s', async (platform) => {
    const reply = await preview({ platform, client_id: issued.clientId });
    const { headers, bytes } = expectStatus(reply, 200);
    expect(headers.get('content-type')).toBe('image/png');
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(bytes.readUInt32BE(16)).toBeGreaterThan(500);
  });

  test('shows Apple and PNG unless it is asked for something else', async () => {
    expect((await preview()).headers.get('content-type')).toBe('image/png');
    const { body } = expectStatus(await preview({ format: 'json' }), 200);
    expect(body.data.storeCard.headerFields[0].label).toBe('Beans');
  });

  test('shows a client, else somebody made up', async () => {
    const of = async (query: Record<string, string>) =>
      expectStatus(await preview({ format: 'json', ...query }), 200).body.data.storeCard
        .primaryFields[0].value;
    expect(await of({ client_id: issued.clientId })).toBe('Ada');
    expect(await of({})).toMatch(/\w/);
    expect(await of({})).not.toBe('Ada');
  });

  test('shows what Google would be given', async () => {
    const { body } = expectStatus(await preview({ format: 'json', platform: 'google' }), 200);
    expect(body.data.class).toMatchObject({ programName: 'Loyalty card' });
    expect(body.data.object).toMatchObject({ state: 'ACTIVE' });
  });

  test.each(['de', 'en'])('is for Google in the language of the shop: %s', async (language) => {
    const own = await newWorkspace({ default_locale: language });
    const { id: templateId } = await newTemplate(own);
    const query = { format: 'json', platform: 'google' };
    const reply = await own.get(`:ws/pass-templates/${templateId}/preview`, query);
    const { class: ofClass, object } = expectStatus(reply, 200).body.data;
    const told = JSON.stringify([ofClass, object]).matchAll(/"language":"([^"]+)"/g);
    expect(new Set([...told].map(([, one]) => one))).toEqual(new Set([language]));
  });

  test('of a draft shows what would be, saves nothing and names what nothing fills', async () => {
    const draft = (body: object) => workspace.post(':ws/pass-templates/preview', body);
    const before = await workspace.get(`/pass-templates/${issued.templateId}`);
    const changed = { top_field_label: 'Crumbs', top_field_value: '${custom_fields.nowhere}' };
    const of = { pass_template_id: issued.templateId, client_id: issued.clientId };
    const { body } = expectStatus(await draft({ ...of, template: changed, format: 'json' }), 200);
    expect(body.data.storeCard.headerFields[0].label).toBe('Crumbs');
    expect(body.data.storeCard.primaryFields[0].value).toBe('Ada');
    expect(body.data).not.toHaveProperty('authenticationToken');
    expect(JSON.stringify(body.meta.warnings)).toContain('nowhere');
    const drawn = expectStatus(await draft({ ...of, template: changed, platform: 'google' }), 200);
    expect(drawn.headers.get('content-type')).toBe('image/png');
    expect((await workspace.get(`/pass-templates/${issued.templateId}`)).body).toEqual(before.body);

    const none = (await workspace.get(':ws/pass-templates')).body.data.length;
    const fresh = expectStatus(await draft({ template: { name: 'New' }, format: 'json' }), 200);
    expect(fresh.body.data.storeCard).toBeDefined();
    expect((await workspace.get(':ws/pass-templates')).body.data).toHaveLength(none);
  });

  test('of a draft is refused what could not be saved', async () => {
    const draft = (body: object) => workspace.post(':ws/pass-templates/preview', body);
    const stranger = await newTemplate(await newWorkspace());
    expectRefused(
      await draft({ template: {}, pass_template_id: stranger.id }),
      400,
      'INVALID_PAYLOAD',
      'pass_template_id',
    );
    expectStatus(await draft({ template: { logo: randomUUID() } }), 400);
    expectStatus(await draft({ template: { tier_id: randomUUID() } }), 400);
    expectStatus(await draft({ template: { nonsense: 1 } }), 400);
    expectStatus(await draft({}), 400);
  });

  test('gives no credential of a pass away', async () => {
    const query = { format: 'json', client_id: issued.clientId };
    const { body } = expectStatus(await preview(query), 200);
    expect(body.data).not.toHaveProperty('authenticationToken');
  });

  test.each([
    ['platform', { platform: 'nokia' }],
    ['format', { format: 'svg' }],
    ['client_id', { client_id: 'nobody' }],
    ['client_id', { client_id: randomUUID() }],
  ])('with a bad %s is refused', async (field, query) => {
    expectRefused(await preview(query), 400, 'INVALID_PAYLOAD', field);
  });

  test('of what a workspace does not have is not found, nor is a client of another', async () => {
    const unknown = await workspace.get(`:ws/pass-templates/${randomUUID()}/preview`);
    expectRefused(unknown, 404, 'RECORD_NOT_FOUND');
    expectRefused(await preview({}, stranger), 404, 'RECORD_NOT_FOUND');
    const theirs = (await issuePass(stranger)).clientId;
    expectRefused(await preview({ client_id: theirs }), 400, 'INVALID_PAYLOAD', 'client_id');
  });
});

describe('wallet status', () => {
  test('says what is missing before phones accept passes', async () => {
    const { data } = expectStatus(await workspace.get(':ws/passes/wallet-status'), 200).body;
    for (const wallet of [data.apple, data.google]) {
      expect(Object.keys(wallet).sort()).toEqual(['missing', 'ready']);
      expect(wallet.ready).toBe(false);
    }
    expect(data.apple.missing).toContain('APPLE_PASS_CERTIFICATE');
    expect(data.google.missing).toContain('GOOGLE_WALLET_ISSUER_ID');
  });

  test('says whose keys are in use where that is asked for', async () => {
    const path = ':ws/passes/wallet-status?expand=credentials';
    const { data } = expectStatus(await workspace.get(path), 200).body;
    const none = { own: false, valid_until: null };
    expect([data.apple.credentials, data.google.credentials]).toEqual([none, none]);
    expectRefused(
      await workspace.get(':ws/passes/wallet-status?expand=keys'),
      400,
      'INVALID_PAYLOAD',
      'expand',
    );
  });

  test('is for members', async () => {
    const path = `/workspace/${workspace.workspaceId}/passes/wallet-status`;
    expectRefused(await call('GET', path), 403, 'FORBIDDEN');
    expectRefused(await call('GET', path, { token: stranger.token }), 403, 'FORBIDDEN');
  });
});

describe('credentials of a workspace', () => {
  const apple = {
    pass_type_identifier: 'pass.com.example',
    team_identifier: 'ABCDE12345',
    certificate: 'x',
    key: 'x',
    wwdr_certificate: 'x',
  };
  const google = { issuer_id: '33', service_account: { client_email: 'a@example.com' } };
  const path = (wallet: string) => `:ws/passes/wallet-credentials/${wallet}`;

  test('that could sign no pass are refused, each problem by its field', async () => {
    const reply = expectStatus(await workspace.put(path('apple'), apple), 400);
    const fields = reply.body.errors.map(
      ({ extensions }: { extensions: { field: string } }) => extensions.field,
    );
    expect(fields.sort()).toEqual(['certificate', 'key', 'wwdr_certificate']);
    const empty = await workspace.put(path('apple'), {});
    expect(expectStatus(empty, 400).body.errors).toHaveLength(5);
    const account = await workspace.put(path('google'), google);
    expectRefused(account, 400, 'INVALID_PAYLOAD', 'service_account');
  });

  test('are for admins', async () => {
    const member = await newMember(workspace);
    expectRefused(await member.put(path('apple'), apple), 403, 'FORBIDDEN');
    expectRefused(await member.put(path('google'), google), 403, 'FORBIDDEN');
    expectRefused(await member.del(path('google')), 403, 'FORBIDDEN');
    expectStatus(await workspace.del(path('google')), 200);
  });
});

test('what Google did not sign is no callback', async () => {
  const body = {
    signature: 'AAAA',
    protocolVersion: 'ECv1',
    signedMessage: '{}',
    intermediateSigningKey: { signedKey: '{}', signatures: ['AAAA'] },
  };
  expectStatus(await call('POST', '!/google/v1/callbacks', { body: {} }), 400);
  expectStatus(await call('POST', '!/google/v1/callbacks', { body }), 401);
});
