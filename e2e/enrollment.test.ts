import { randomUUID } from 'node:crypto';
import { call } from './support/api';
import { onOneDay } from './support/days';
import {
  answers,
  clientOf,
  confirm,
  confirmTokenFor,
  type FormField,
  isKnown,
  newForm,
  newKey,
  passesOf,
  rotate,
  submit,
  submitAndConfirm,
  submitToPage,
  type TestForm,
} from './support/enrollment';
import { expectStatus, newClient, newWorkspace, uniqueEmail } from './support/factories';
import { mailsTo, mailTo } from './support/mails';
import { newPortal, portalCaller } from './support/portal';
import { expectRefusal } from './support/referrals';

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);

let form: TestForm;
beforeAll(async () => {
  form = await newForm();
});

describe('somebody new', () => {
  test('becomes a loyalty member with a pass, and gets links and a token of their own', async () => {
    const body = answers({ last_name: 'Lo', phone: ' +48 600 100 200 ' });
    const { body: reply } = expectStatus(await submit(form, body), 200);
    expect(reply).toEqual({
      data: {
        pass_id: uuid,
        apple_pass_url: expect.stringMatching(/\/apple$/),
        google_pass_url: expect.stringMatching(/\/google$/),
        client_token: expect.any(String),
      },
      isResend: false,
      emailSent: false,
      message: expect.any(String),
      success: true,
    });
    const client = await clientOf(form.workspace, body.email);
    expect(client).toMatchObject({
      first_name: 'Bo',
      last_name: 'Lo',
      phone: '+48 600 100 200',
      status: 'active',
      source: 'enrollment',
      loyalty_program_enabled: true,
      marketing_consent: false,
      marketing_consent_at: null,
    });
    const [pass] = await passesOf(form.workspace, client.id);
    expect(pass).toMatchObject({
      id: reply.data.pass_id,
      client_id: client.id,
      project_id: form.projectId,
      pass_template_id: form.templateId,
      apple_pass_url: reply.data.apple_pass_url,
      user_created: null,
    });
    expect(JSON.stringify(reply.data.apple_pass_url)).not.toContain(client.id);
    const headers = { 'x-client-token': reply.data.client_token };
    await form.workspace.put(':ws/portal-config', { is_enabled: true });
    const me = expectStatus(await call('GET', '/public/loyalty/me', { headers }), 200).body.data;
    expect(me.id).toBe(client.id);
    // Mails go in turn: that of a second time is the first.
    expect(expectStatus(await submit(form, body), 200).body).toMatchObject({ emailSent: true });
    await mailTo(body.email);
    expect(await mailsTo(body.email)).toHaveLength(1);
  });

  test('gets the links by mail as well where the distribution delivers by e-mail', async () => {
    const mailing = await newForm({ delivery_mode: 'email' });
    const body = answers();
    const { body: reply } = expectStatus(await submit(mailing, body), 200);
    expect([reply.emailSent, reply.isResend]).toEqual([true, false]);
    expect(reply.data.client_token).not.toBeNull();
    const mail = await mailTo(body.email);
    expect(mail).toContain(reply.data.apple_pass_url);
    expect(mail).toContain(reply.data.google_pass_url);
  });

  test('gives consent that is stamped with the words of the form', async () => {
    const label = 'Send me the coffee news';
    const field = { name: 'marketing_consent', label, type: 'boolean', required: true } as const;
    const asking = await newForm({ form_fields_config: [field] });
    for (const marketing_consent of [undefined, false]) {
      const refused = await submit(asking, answers({ marketing_consent }));
      expectRefusal(refused, 400, 'INVALID_PAYLOAD', 'marketing_consent');
    }
    const body = answers({ marketing_consent: true });
    expectStatus(await submit(asking, body), 200);
    expect(await clientOf(asking.workspace, body.email)).toMatchObject({
      marketing_consent: true,
      marketing_consent_at: expect.any(String),
      marketing_consent_source: 'enrollment',
      marketing_consent_text: label,
    });
  });

  test('may come through the page, where it is on', async () => {
    const body = answers();
    const { body: reply } = expectStatus(await submitToPage(form.id, body), 200);
    expect([reply.success, reply.isResend]).toEqual([true, false]);
    expect(await clientOf(form.workspace, body.email)).toMatchObject({ first_name: 'Bo' });
  });
});

describe('somebody who is known', () => {
  test('finds links at the address on file, and the form gets nothing to open the account with', async () => {
    const body = answers();
    const first = expectStatus(await submit(form, body), 200).body;
    const again = { ...body, email: body.email.toUpperCase(), first_name: 'Mallory' };
    const { body: reply } = expectStatus(await submit(form, again), 200);
    expect(reply).toEqual({
      data: {
        pass_id: first.data.pass_id,
        apple_pass_url: null,
        google_pass_url: null,
        client_token: null,
      },
      isResend: true,
      emailSent: true,
      message: expect.any(String),
      success: true,
    });
    expect(await mailTo(body.email)).toContain(first.data.apple_pass_url);
    expect((await clientOf(form.workspace, body.email)).first_name).toBe('Bo');
  });

  test('is found by the phone alone where the workspace has noted it, and gets no new address', async () => {
    const known = await newClient(form.workspace, { phone: '+48601222333' });
    const other = answers({ custom_fields: { phone: '+48 601 222 333' } });
    const { body: reply } = expectStatus(await submit(form, other), 200);
    expect(reply.data.client_token).toBeNull();
    await mailTo(known.email);
    expect(await mailsTo(other.email)).toEqual([]);
    expect(await isKnown(form.workspace, other.email)).toBe(false);
  });

  test('is not who typed the same phone into a form before with another address', async () => {
    const stranger = answers({ phone: '+48601222444' });
    const first = expectStatus(await submit(form, stranger), 200).body;
    const own = answers({ phone: '+48 601 222 444' });
    const { body: reply } = expectStatus(await submit(form, own), 200);
    expect(reply.data.client_token).toEqual(expect.any(String));
    expect(reply.data.pass_id).not.toBe(first.data.pass_id);
    expect((await clientOf(form.workspace, own.email)).phone).toBeNull();
    expect((await clientOf(form.workspace, stranger.email)).phone).toBe('+48601222444');
  });

  test('is who the e-mail says where the phone names somebody else', async () => {
    const [one, two] = [answers({ phone: '+48602111111' }), answers({ phone: '+48602222222' })];
    const first = expectStatus(await submit(form, one), 200).body;
    expectStatus(await submit(form, two), 200);
    const mixed = answers({ email: one.email, phone: two.phone });
    const { body: reply } = expectStatus(await submit(form, mixed), 200);
    expect(reply.data.pass_id).toBe(first.data.pass_id);
    expect((await clientOf(form.workspace, one.email)).phone).toBe('+48602111111');
  });

  test('stays as they are until they confirm; then joins, gets a pass, and keeps what was known', async () => {
    const { workspace } = form;
    const asks = ['city', 'size'].map((name) => ({ name, label: name }));
    const consent = { name: 'marketing_consent', label: 'News?', type: 'boolean' };
    const own = await newForm({ form_fields_config: [...asks, consent] }, workspace);
    const known = await newClient(workspace, { first_name: 'Ann', custom_fields: { city: 'Ulm' } });
    const before = await clientOf(workspace, known.email);
    const body = answers({
      email: known.email,
      first_name: 'Mallory',
      last_name: 'Lo',
      phone: '+48603111222',
      marketing_consent: true,
      custom_fields: { city: 'Bonn', size: 'L' },
    });
    const { body: reply } = expectStatus(await submit(own, body), 200);
    expect(reply).toMatchObject({ isResend: false, emailSent: true });
    const nothing = { apple_pass_url: null, google_pass_url: null, client_token: null };
    expect(reply.data).toEqual({ pass_id: null, ...nothing });
    const token = await confirmTokenFor(known.email);
    // Scanners of mails open links.
    const page = expectStatus(await call('GET', `!/confirm?token=${token}`), 200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.text).not.toContain(known.id);
    expect(await clientOf(workspace, known.email)).toEqual(before);
    expect(await passesOf(workspace, known.id)).toEqual([]);

    const opened = Date.now();
    const { body: confirmed } = expectStatus(await confirm(token), 200);
    expect(confirmed).toMatchObject({ isResend: false, success: true });
    expect(confirmed.data).toEqual({
      pass_id: uuid,
      apple_pass_url: expect.stringMatching(/\/apple$/),
      google_pass_url: expect.stringMatching(/\/google$/),
      client_token: expect.any(String),
    });
    const client = await clientOf(workspace, known.email);
    expect(client).toMatchObject({
      first_name: 'Ann',
      last_name: 'Lo',
      phone: '+48603111222',
      custom_fields: { city: 'Ulm', size: 'L' },
      marketing_consent: true,
      marketing_consent_source: 'enrollment',
      marketing_consent_text: 'News?',
      loyalty_program_enabled: true,
    });
    expect(Date.parse(client.marketing_consent_at!)).toBeGreaterThanOrEqual(opened - 1_000);
    const passes = await passesOf(workspace, known.id);
    expect(passes.map(({ id }: { id: string }) => id)).toEqual([confirmed.data.pass_id]);
    // Who opens the link later, from wherever, hears that it is done and gets nothing to open the account with.
    const { body: repeated } = expectStatus(await confirm(token), 200);
    expect(repeated.data).toEqual({ pass_id: confirmed.data.pass_id, ...nothing });
    expect(repeated.message).toContain('before');
  });

  test('has alone what opens the account once they confirm: who used their address first is out', async () => {
    const workspace = await newPortal();
    const own = await newForm({}, workspace);
    const body = answers();
    const { data: stranger } = expectStatus(await submit(own, body), 200).body;
    const strangers = portalCaller(stranger.client_token);
    const linkOf = (url: string) => call('GET', `!${new URL(url).pathname}.png`);
    expectStatus(await strangers.get('/me'), 200);
    expectStatus(await linkOf(stranger.apple_pass_url), 200);

    const { data } = await submitAndConfirm(own, body);
    expect(data.pass_id).toBe(stranger.pass_id);
    const [after, link] = [await strangers.get('/me'), await linkOf(stranger.apple_pass_url)];
    expect([after.status, link.status]).toEqual([401, 404]);
    expectStatus(await portalCaller(data.client_token).get('/me'), 200);
    expectStatus(await linkOf(data.apple_pass_url), 200);

    // The first proof counts: what came after it stays.
    await submitAndConfirm(own, body);
    expectStatus(await portalCaller(data.client_token).get('/me'), 200);
    expectStatus(await linkOf(data.apple_pass_url), 200);
  });

  test('is not shown the answers behind a link to a mailbox that is theirs no longer', async () => {
    const { workspace } = form;
    const known = await newClient(workspace, { first_name: 'Ann' });
    const body = answers({ email: known.email, last_name: 'Lovelace' });
    expectStatus(await submit(form, body), 200);
    const token = await confirmTokenFor(known.email);
    expect((await call('GET', `!/confirm?token=${token}`)).text).toContain('Lovelace');
    const email = `new-${known.email}`;
    expectStatus(await workspace.patch(`:ws/clients/${known.id}`, { email }), 200);
    const { status, text } = await call('GET', `!/confirm?token=${token}`);
    expect([status, text.includes('Lovelace')]).toEqual([404, false]);
  });

  test.each([[undefined], [''], ['x'], ['a'.repeat(43)], [12]])(
    'confirms nothing with the token %j',
    async (token) => {
      expectRefusal(await confirm(token), 400, 'INVALID_PAYLOAD', 'token');
      expectStatus(await call('GET', `!/confirm?token=${token ?? ''}`), 404);
    },
  );

  test.each(['delete', 'anonymize'])('that a workspace has to %s confirms nothing', async (how) => {
    const known = await newClient(form.workspace);
    expectStatus(await submit(form, answers({ email: known.email })), 200);
    const token = await confirmTokenFor(known.email);
    const path = `:ws/clients/${known.id}`;
    const { workspace } = form;
    expectStatus(
      how === 'delete' ? await workspace.del(path) : await workspace.post(`${path}/anonymize`),
      200,
    );
    expectRefusal(await confirm(token), 400, 'INVALID_PAYLOAD', 'token');
  });

  test('does not get back by a form what they withdrew', async () => {
    const known = await newClient(form.workspace, { marketing_consent: false });
    const body = answers({ email: known.email, marketing_consent: true });
    expectStatus(await submit(form, body), 200);
    const client = await clientOf(form.workspace, known.email);
    expect(client.marketing_consent).toBe(false);
  });

  test('is greeted by nothing that a stranger typed', async () => {
    const mailing = await newForm({ delivery_mode: 'email' });
    const body = answers({ first_name: 'Log in at http://phish.example/login' });
    expectStatus(await submit(mailing, body), 200);
    expect(await mailTo(body.email)).not.toContain('phish.example');
  });

  test('stays inactive where the workspace set them so', async () => {
    const known = await newClient(form.workspace, { status: 'inactive' });
    expectStatus(await submit(form, answers({ email: known.email })), 200);
    const client = await clientOf(form.workspace, known.email);
    expect(client).toMatchObject({ status: 'inactive', loyalty_program_enabled: false });
  });
});

describe('an address that is sent at once', () => {
  test('ten times makes one client and one pass, and only one form gets the token', async () => {
    const body = answers();
    const replies = await Promise.all(Array.from({ length: 10 }, () => submit(form, body)));
    for (const reply of replies) expectStatus(reply, 200);
    const data = replies.map((reply) => reply.body.data);
    // Who comes before there is a pass hears of none.
    const ids = data.flatMap(({ pass_id }) => (pass_id === null ? [] : [pass_id]));
    expect(new Set(ids).size).toBe(1);
    expect(data.filter(({ client_token }) => client_token !== null)).toHaveLength(1);
    const list = await form.workspace.get(':ws/clients', { email: body.email });
    expect(list.body.meta.total).toBe(1);
  });

  test('under one key is one enrollment with one answer', async () => {
    const [body, headers] = [answers({ referral_code: 'nobody' }), newKey()];
    // A key is of the address that it came from.
    const from = { ...headers, 'X-Forwarded-For': '10.1.2.3' };
    const first = expectStatus(await submit(form, body, from), 200);
    const again = expectStatus(await submit(form, body, from), 200);
    // What opens the account is shown once (part 3, section 16).
    const data = { ...first.body.data, client_token: null };
    expect(again.body).toEqual({ ...first.body, data });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expectRefusal(await submit(form, answers(), from), 409, 'CONFLICT');
  });
});

describe('a form', () => {
  test.each([
    ['email', {}, { email: undefined }],
    ['email', {}, { email: 'no address' }],
    ['first_name', {}, { first_name: '' }],
    ['first_name', {}, { first_name: '   ' }],
    ['phone', {}, { phone: '1'.repeat(51) }],
    ['phone', { name: 'phone', type: 'phone', required: true }, {}],
    ['last_name', { name: 'last_name', required: true }, {}],
    ['custom_fields.city', { name: 'city', required: true }, {}],
    ['custom_fields.city', { name: 'city', required: true }, { custom_fields: { city: ' ' } }],
    ['custom_fields.age', { name: 'age', type: 'number' }, { custom_fields: { age: '7' } }],
    ['custom_fields.vip', { name: 'vip', type: 'boolean' }, { custom_fields: { vip: 'yes' } }],
    ['custom_fields.day', { name: 'day', type: 'date' }, { custom_fields: { day: '2026-02-30' } }],
    [
      'custom_fields.size',
      { name: 'size', type: 'select', options: ['S', 'L'] },
      { custom_fields: { size: 'M' } },
    ],
    ['custom_fields.site', { name: 'site', type: 'url' }, { custom_fields: { site: 'x' } }],
    ['custom_fields.birth_date', { name: 'birth_date', type: 'date', required: true }, {}],
    ['custom_fields.vip', {}, { custom_fields: { vip: true } }],
    ['custom_fields.email', {}, { custom_fields: { email: 'other@mail.example' } }],
    ['custom_fields.city', { name: 'city' }, { custom_fields: { city: 'x'.repeat(1_001) } }],
    ['custom_fields.city', { name: 'city' }, { custom_fields: { city: { a: 1 } } }],
    [
      'custom_fields',
      {},
      { custom_fields: Object.fromEntries(Array.from({ length: 300 }, (_, key) => [key, 1])) },
    ],
    ['custom_fields', {}, { custom_fields: [] }],
    ['marketing_consent', {}, { marketing_consent: 'yes' }],
    ['surprise', {}, { surprise: 1 }],
  ])('says that %s is wrong (%j, %j)', async (field, asked, wrong) => {
    const { workspace, id } = form;
    const asks =
      'name' in asked ? [{ label: 'Question', type: 'text', ...asked } as FormField] : [];
    const own = await newForm({ form_fields_config: asks }, workspace);
    expect(own.id).not.toBe(id);
    expectRefusal(await submit(own, answers(wrong)), 400, 'INVALID_PAYLOAD', field);
    expectRefusal(await submitToPage(own.id, answers(wrong)), 400, 'INVALID_PAYLOAD', field);
  });

  test('asks for what the data model requires, and types what it defines', async () => {
    const age = { name: 'age', label: 'Age', type: 'text' } as const;
    const own = await newForm({ form_fields_config: [age] });
    const define = (body: object) => own.workspace.post(':ws/data-model', body);
    const city = { field_name: 'city', field_label: 'City', field_type: 'text', is_required: true };
    expectStatus(await define(city), 201);
    expectStatus(
      await define({ field_name: 'age', field_label: 'Age', field_type: 'number' }),
      201,
    );
    const config = await call('GET', `/embed/distribution/${own.token}/config`);
    expect(config.body.data.form_fields_config).toEqual([
      { name: 'age', label: 'Age', type: 'number', required: false },
      { name: 'city', label: 'City', type: 'text', required: true },
    ]);
    expectRefusal(await submit(own, answers()), 400, 'INVALID_PAYLOAD', 'custom_fields.city');
    const untyped = answers({ custom_fields: { city: 'Ulm', age: 'old' } });
    expectRefusal(await submit(own, untyped), 400, 'INVALID_PAYLOAD', 'custom_fields.age');
    const body = answers({ custom_fields: { city: 'Ulm', age: 7, birth_date: '2000-02-29' } });
    expectStatus(await submit(own, body), 200);
    const client = await clientOf(own.workspace, body.email);
    expect(client.custom_fields).toEqual({ city: 'Ulm', age: 7 });
    expect(client.birth_date).toBe('2000-02-29');
  });

  test('shows what anybody may see of it, in the language of the workspace', async () => {
    const workspace = await newWorkspace({ default_locale: 'pl-PL' });
    const field = { name: 'email', label: 'Adres', type: 'email', required: true } as const;
    const own = await newForm({ form_fields_config: [field] }, workspace);
    const { body, headers } = expectStatus(
      await call('GET', `/embed/distribution/${own.token}/config`),
      200,
    );
    expect(body).toEqual({
      data: {
        id: own.id,
        status: 'active',
        delivery_mode: 'embed',
        form_fields_config: [field],
        privacy_url: null,
        terms_url: null,
        workspace: { id: workspace.workspaceId, name: 'Coffee Corner', slug: workspace.slug },
      },
      success: true,
    });
    expect(headers.get('content-language')).toBe('pl');
  });

  test.each(['paused', 'archived'] as const)(
    'that is %s is closed at every door',
    async (status) => {
      const own = await newForm({ status });
      for (const reply of [
        await submit(own, answers()),
        await submitToPage(own.id, answers()),
        await call('GET', `/embed/distribution/${own.token}/config`),
      ]) {
        expectRefusal(reply, 403, 'FORBIDDEN');
        expect(reply.body.errors[0].message).toBe('enrollment is closed');
      }
      expectStatus(await call('GET', `!/d/${own.id}`), 403);
    },
  );

  test('that is unknown, or whose page is off, is not found', async () => {
    const own = await newForm({ page_enabled: false });
    expectStatus(await submit(own, answers()), 200);
    const unknown = { token: 'a'.repeat(43) };
    expectRefusal(await submit(unknown, answers()), 404, 'RECORD_NOT_FOUND');
    expectRefusal(
      await call('GET', `/embed/distribution/${own.id}/config`),
      404,
      'RECORD_NOT_FOUND',
    );
    for (const id of [own.id, randomUUID()]) {
      expectRefusal(await submitToPage(id, answers()), 404, 'RECORD_NOT_FOUND');
      expectStatus(await call('GET', `!/d/${id}`), 404);
    }
    expectRefusal(await submitToPage('x', answers()), 400, 'INVALID_PAYLOAD', 'distribution_id');
  });

  test('ends with its token: a new one works at once, the old one no more', async () => {
    const own = await newForm();
    const token = await rotate(own.workspace, own.id);
    expect(token).not.toBe(own.token);
    expectRefusal(await submit(own, answers()), 404, 'RECORD_NOT_FOUND');
    expectStatus(await submit({ token }, answers()), 200);
  });

  test('is not read from the address it is sent to', async () => {
    const reply = await call('GET', '/embed/distribution/any-token-at-all/submit');
    expectStatus(reply, 405);
    expect(reply.body).toEqual({ success: false, error: expect.any(String) });
    expect(reply.headers.get('allow')).toBe('POST, OPTIONS');
  });

  test('is sent at most 20 times a minute from one address, through either door', async () => {
    const headers = { 'X-Forwarded-For': '10.9.8.7' };
    const doors = [
      { path: `/embed/distribution/${form.token}/submit`, body: {} },
      { path: '/distribution/submit', body: {} },
    ];
    for (let sent = 0; sent < 20; sent += 1) {
      const { path, body } = doors[sent % 2]!;
      expectStatus(await call('POST', path, { body, headers }), 400);
    }
    const refused = await call('POST', doors[0]!.path, { body: {}, headers });
    expectRefusal(refused, 429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('pages of other origins', () => {
  const shop = 'https://shop.example';
  const preflight = (token: string, origin: string) =>
    call('OPTIONS', `/embed/distribution/${token}/submit`, {
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    });
  const allowed = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin');

  test('may use the form only where the distribution allows them, from the next request on', async () => {
    const own = await newForm({ allowed_origins: ['https://Shop.example/'] });
    const sent = await preflight(own.token, shop);
    expect([sent.status, allowed(sent)]).toEqual([204, shop]);
    expect(sent.headers.get('access-control-allow-methods')).toContain('POST');
    expect(sent.headers.get('vary')).toContain('Origin');
    expect(allowed(await preflight('unknown', shop))).toBe('*');
    // A refusal must be readable by the page that may read the answer.
    const refused = await submit(own, {}, { Origin: shop });
    expect([refused.status, allowed(refused)]).toEqual([400, shop]);
    const change = { allowed_origins: [] };
    expectStatus(await own.workspace.patch(`:ws/distributions/${own.id}`, change), 200);
    expectRefusal(await submit(own, answers(), { Origin: shop }), 403, 'FORBIDDEN');
    expectStatus(
      await own.workspace.patch(`:ws/distributions/${own.id}`, { allowed_origins: ['*'] }),
      200,
    );
    expect(allowed(await preflight(own.token, shop))).toBe('*');
  });

  test('that are not allowed get a readable answer, and enrol no client', async () => {
    const own = await newForm({ allowed_origins: [shop] });
    const evil = 'https://evil.example';
    const asked = await preflight(own.token, evil);
    expect([asked.status, allowed(asked)]).toEqual([204, evil]);
    const body = answers();
    const config = `/embed/distribution/${own.token}/config`;
    for (const refused of [
      await submit(own, body, { Origin: evil }),
      await call('GET', config, { headers: { Origin: evil } }),
      // The same path, written otherwise.
      await call('GET', config.replace('distribution', 'distributi%6fn'), {
        headers: { Origin: evil },
      }),
    ]) {
      expectRefusal(refused, 403, 'FORBIDDEN');
      expect(refused.body.errors[0].message).toContain(evil);
      expect(allowed(refused)).toBe(evil);
    }
    expect(await isKnown(own.workspace, body.email)).toBe(false);
    const wrongToken = await submit({ token: 'a'.repeat(43) }, body, { Origin: evil });
    expectRefusal(wrongToken, 404, 'RECORD_NOT_FOUND');
    expect(allowed(wrongToken)).toBe('*');
    // A caller that is no page says nothing of its origin.
    expectStatus(await submit(own, body), 200);
  });

  test('below a host are allowed together, the host itself and its look-alikes are not', async () => {
    const own = await newForm({ allowed_origins: ['https://*.Shop.example'] });
    const read = await own.workspace.get(`:ws/distributions/${own.id}`);
    expect(read.body.data.allowed_origins).toEqual(['https://*.shop.example']);
    const statusFor = async (Origin: string) =>
      (await call('GET', `/embed/distribution/${own.token}/config`, { headers: { Origin } }))
        .status;
    for (const origin of ['https://a.shop.example', 'https://a.b.shop.example'])
      expect([origin, await statusFor(origin)]).toEqual([origin, 200]);
    for (const origin of [
      shop,
      'http://a.shop.example',
      'https://a.shop.example:8443',
      'https://evilshop.example',
      'https://a.shop.example.evil.example',
      'https://.shop.example',
      'https://somebody@a.shop.example',
      'null',
    ])
      expect([origin, await statusFor(origin)]).toEqual([origin, 403]);
  });

  test('may load the widget and what it is made of', async () => {
    for (const path of ['!/embed.js', '!/enrollment/widget.js', '!/enrollment/vendor/qr.js']) {
      const { status, headers } = await call('GET', path, { headers: { Origin: shop } });
      expect([path, status, headers.get('content-type')]).toEqual([
        path,
        200,
        expect.stringContaining('javascript'),
      ]);
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
  });
});

describe('the page', () => {
  test('carries its form under a policy that lets nothing foreign run', async () => {
    const workspace = await newWorkspace({ name: 'A </script> & <b>', default_locale: 'de' });
    const own = await newForm({}, workspace);
    const { text, headers } = expectStatus(await call('GET', `!/d/${own.id}?ref=ABCDEFGH`), 200);
    expect(headers.get('content-type')).toContain('text/html');
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe-inline');
    expect(text).toContain('<html lang="de">');
    expect(text).not.toContain('A </script>');
    const island = /<script type="application\/json" id="enrollment">(.*)<\/script>/.exec(
      text,
    )![1]!;
    const given = JSON.parse(island);
    expect(given).toMatchObject({ status: 200, distribution_id: own.id, locale: 'de' });
    expect(given.form.workspace.name).toBe('A </script> & <b>');
  });

  test('tells messengers what its link leads to, and has an icon in the colours of the shop', async () => {
    const workspace = await newWorkspace({ name: 'Bäckerei "Grün" & Söhne', default_locale: 'de' });
    const logo_url = 'https://shop.example/logo.png';
    const look = { logo_url, primary_color: '#AA0011' };
    expectStatus(await workspace.put(':ws/portal-config', look), 200);
    const own = await newForm({}, workspace);
    const { text } = expectStatus(await call('GET', `!/d/${own.id}`), 200);
    const name = 'Bäckerei &quot;Grün&quot; &amp; Söhne';
    expect(text).toContain(`<meta property="og:title" content="${name} beitreten">`);
    expect(text).toContain(`<meta property="og:site_name" content="${name}">`);
    expect(text).toContain(`<meta property="og:image" content="${logo_url}">`);
    expect(text).toMatch(/<meta property="og:description" content="[^"]+">/);
    expect(text).toContain(`<link rel="icon" href="data:image/svg+xml,`);
    expect(text).toContain(encodeURIComponent('#AA0011'));
  });

  test('says that it needs a script, in the language of the visitor or else of the shop', async () => {
    const workspace = await newWorkspace({ name: 'Piekarnia', default_locale: 'pl' });
    const own = await newForm({}, workspace);
    const said = async (path: string, wanted = 'fr') => {
      const { text } = await call('GET', `!/${path}`, { headers: { 'Accept-Language': wanted } });
      return /<noscript>(.*)<\/noscript>/.exec(text)![1]!;
    };
    expect(await said(`d/${own.id}`, 'nl')).toMatch(/Piekarnia.*wymaga JavaScriptu/);
    expect(await said(`d/${own.id}`)).toMatch(/Piekarnia.*a besoin de JavaScript/);
    expect(await said('d/nonsense')).toContain('a besoin de JavaScript');
  });

  test('is the 404 page for an address that is none', async () => {
    const { headers } = expectStatus(await call('GET', '!/d/nonsense'), 404);
    expect(headers.get('content-type')).toContain('text/html');
    expect((await call('POST', `!/d/${form.id}`, { body: {} })).status).toBe(405);
  });
});

test('no mailbox gets more than ten mails a day for enrollments that one source sends with its address', () =>
  onOneDay(async () => {
    const body = answers({ email: uniqueEmail('calm') });
    const here = { 'X-Forwarded-For': '192.0.2.77' };
    expectStatus(await submit(form, body, here), 200);
    for (let sent = 0; sent < 10; sent += 1)
      expect((await submit(form, body, here)).body.emailSent).toBe(true);
    const { body: reply } = expectStatus(await submit(form, body, here), 200);
    expect([reply.isResend, reply.emailSent]).toEqual([true, false]);
    // What a stranger used up, the one whose address it is still has from where they are.
    const there = { 'X-Forwarded-For': '192.0.2.78' };
    expect((await submit(form, body, there)).body.emailSent).toBe(true);
  }));

describe('a form with a time and a number', () => {
  const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();
  const HOUR = 3_600_000;

  test.each([
    ['before it begins', { starts_at: fromNow(HOUR) }],
    ['after its end', { ends_at: fromNow(-HOUR) }],
  ])('is closed %s, at every door', async (_when, times) => {
    const own = await newForm(times);
    for (const reply of [
      await submit(own, answers()),
      await submitToPage(own.id, answers()),
      await call('GET', `/embed/distribution/${own.token}/config`),
    ])
      expectRefusal(reply, 403, 'FORBIDDEN');
    expectStatus(await call('GET', `!/d/${own.id}`), 403);
    const open = { starts_at: fromNow(-HOUR), ends_at: fromNow(HOUR) };
    expectStatus(await own.workspace.patch(`:ws/distributions/${own.id}`, open), 200);
    expectStatus(await submit(own, answers()), 200);
  });

  test('is closed once it was sent as often as it may be, new and known people counted', async () => {
    const own = await newForm({ submission_limit: 3 });
    expectRefusal(await submit(own, answers({ first_name: ' ' })), 400, 'INVALID_PAYLOAD');
    const body = answers();
    expectStatus(await submit(own, body), 200);
    expectStatus(await submit(own, body), 200);
    const replies = await Promise.all(Array.from({ length: 5 }, () => submit(own, answers())));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403]);
    expectStatus(await call('GET', `/embed/distribution/${own.token}/config`), 403);
    const more = { submission_limit: null };
    expectStatus(await own.workspace.patch(`:ws/distributions/${own.id}`, more), 200);
    expectStatus(await submit(own, answers()), 200);
  });

  test('shows what a visitor may read first', async () => {
    const urls = {
      privacy_url: 'https://shop.example/privacy',
      terms_url: 'https://shop.example/terms',
    };
    const own = await newForm(urls);
    const { body } = await call('GET', `/embed/distribution/${own.token}/config`);
    expect(body.data).toMatchObject(urls);
    expect((await call('GET', `!/d/${own.id}`)).text).toContain(urls.privacy_url);
  });
});
