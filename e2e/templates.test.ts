import { randomUUID } from 'node:crypto';
import { expectStatus, newClient, newWorkspace, type TestWorkspace } from './support/factories';
import { newProject, newTemplate, passOn, projectOf } from './support/passes';
import { expectRefusal } from './support/referrals';

let workspace: TestWorkspace;
let stranger: TestWorkspace;
let project_id: string;
beforeAll(async () => {
  [workspace, stranger] = await Promise.all([newWorkspace(), newWorkspace()]);
  project_id = await projectOf(workspace);
});

const create = (body: object) =>
  workspace.post(':ws/pass-templates', { project_id, name: 'Card', ...body });

const everything = {
  name: 'Gold card',
  description: 'For regulars',
  pass_type: 'EVENT_TICKET',
  apple_pass_type_identifier: 'pass.com.example.gold',
  background_color: '#112233',
  label_color: '#AABBCC',
  value_color: '#ffffff',
  logo_text: 'Corner',
  icon: 'https://images.example.com/icon.png',
  logo: '${custom_fields.logo}',
  cover_image: null,
  barcode_type: 'pdf417',
  barcode_id: null,
  barcode_label: 'Member {{first_name}}',
  top_field_label: 'Points',
  top_field_value: '${wallet.points} ${wallet.unit_plural_name}',
  front_fields: [{ id: 'name', label: 'Name', value: '{{first_name}} {{last_name}}' }],
  secondary_fields: [{ id: 'tier', label: 'Tier', value: '${loyalty.tier}' }],
  back_fields: [{ id: 'code', label: 'Code', value: '${loyalty.referral_code}' }],
  show_benefits_on_back: true,
  show_available_rewards_on_back: true,
  show_active_rewards_on_back: true,
  show_loyalty_portal_link_on_back: true,
  show_referral_code_on_back: true,
  back_sections_order: ['benefits', 'back_fields'],
  locations: [{ latitude: 52.5, longitude: 13.4, altitude: 30, name: 'Berlin' }],
  location_message: 'We are round the corner',
  ios_deeplink_id: 123456789,
  ios_deeplink_url: 'https://app.example.com/open',
  tier_id: null,
  tier_label: 'Level',
  expires_after_days: 365,
};

describe('pass templates', () => {
  test('keep every field as it came', async () => {
    const { body } = expectStatus(await create(everything), 201);
    // The data model has no such field, as the warning says; it is kept all the same.
    const placeholder = '${custom_fields.logo}';
    expect(body.meta.warnings).toMatchObject([{ field: 'logo', placeholder }]);
    expect(body.data).toEqual({
      ...everything,
      id: expect.any(String),
      uuid: body.data.id,
      workspace_id: workspace.workspaceId,
      project_id,
      statistics: { passes: 0, apple: 0, google: 0 },
      date_created: expect.any(String),
      date_updated: expect.any(String),
      user_created: workspace.owner.id,
      user_updated: null,
    });
    expect((await workspace.get(`/pass-templates/${body.data.id}`)).body.data).toEqual(body.data);
  });

  test('have defaults, and lines get an id', async () => {
    const back_fields = [{ label: 'Terms', value: 'None' }];
    const { data } = expectStatus(await create({ back_fields }), 201).body;
    expect(data).toMatchObject({
      pass_type: 'LOYALTY',
      barcode_type: 'qr',
      background_color: null,
      front_fields: [],
      back_sections_order: null,
      locations: [],
      show_benefits_on_back: false,
      back_fields: [{ id: expect.any(String), label: 'Terms', value: 'None' }],
    });
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ pass_type: 'CARD' }, 'pass_type'],
    [{ background_color: 'red' }, 'background_color'],
    [{ label_color: '#12345' }, 'label_color'],
    [{ value_color: '#GG0000' }, 'value_color'],
    [{ barcode_type: 'ean13' }, 'barcode_type'],
    [{ icon: randomUUID() }, 'icon'],
    [{ logo: 'http://images.example.com/a.png' }, 'logo'],
    [{ cover_image: 'https://127.0.0.1/a.png' }, 'cover_image'],
    [{ front_fields: 'x' }, 'front_fields'],
    [{ front_fields: [{ value: 'x' }] }, 'front_fields.0.label'],
    [{ back_fields: [{ label: 'x', value: 5 }] }, 'back_fields.0.value'],
    [
      {
        back_fields: [
          { id: 'a', label: 'A', value: '' },
          { id: 'a', label: 'B', value: '' },
        ],
      },
      'back_fields.1',
    ],
    [{ show_benefits_on_back: 'yes' }, 'show_benefits_on_back'],
    [{ back_sections_order: 'benefits' }, 'back_sections_order'],
    [{ locations: [{ latitude: 91, longitude: 0 }] }, 'locations.0.latitude'],
    [{ locations: [{ latitude: 1 }] }, 'locations.0.longitude'],
    [{ ios_deeplink_id: '1' }, 'ios_deeplink_id'],
    [{ tier_id: randomUUID() }, 'tier_id'],
    [{ project_id: randomUUID() }, 'project_id'],
    [{ workspace_id: randomUUID() }, 'workspace_id'],
    [{ statistics: {} }, 'statistics'],
    [{ colour: '#112233' }, 'colour'],
  ])('are refused for what is wrong: %j', async (body, field) => {
    expectRefusal(await create(body), 400, 'INVALID_PAYLOAD', field);
  });

  test('need a project of the workspace', async () => {
    const nowhere = await workspace.post(':ws/pass-templates', { name: 'Card' });
    expectRefusal(nowhere, 400, 'INVALID_PAYLOAD', 'project_id');
    const elsewhere = { project_id: await newProject(stranger) };
    expectRefusal(await create(elsewhere), 400, 'INVALID_PAYLOAD', 'project_id');
  });

  test('warn of placeholders that nothing fills, when created and when changed', async () => {
    const top_field_value = '${loyalty.points} {{first_name}} {{nobody}} ${wallet:nowhere.points}';
    const created = expectStatus(await create({ top_field_value }), 201).body;
    const named = (meta: { warnings: { placeholder: string }[] }) =>
      meta.warnings.map((warning) => warning.placeholder);
    expect(named(created.meta)).toEqual([
      '${loyalty.points}',
      '{{nobody}}',
      '${wallet:nowhere.points}',
    ]);
    const path = `/pass-templates/${created.data.id}`;
    const mended = expectStatus(await workspace.patch(path, { top_field_value: 'x' }), 200).body;
    expect(mended.meta.warnings).toEqual([]);
    expect(mended.data).toMatchObject({ top_field_value: 'x', user_updated: workspace.owner.id });
  });

  test('in use are not deleted; with no pass they are', async () => {
    const template = await newTemplate(workspace);
    const pass = await passOn(workspace, template);
    const path = `/pass-templates/${template.id}`;
    expect((await workspace.get(path)).body.data.statistics.passes).toBe(1);
    expectRefusal(await workspace.del(path), 409, 'CONFLICT');
    expectStatus(await workspace.del(`/passes/${pass.id}`), 200);
    expect(expectStatus(await workspace.del(path), 200).body).toEqual({
      message: expect.any(String),
    });
    expectRefusal(await workspace.get(path), 404, 'RECORD_NOT_FOUND');
  });

  test('are migrated with all passes into the project of the target', async () => {
    const source = await newTemplate(workspace);
    const target = await newTemplate(workspace, { project_id: await newProject(workspace) });
    const client = await newClient(workspace);
    const passes = [
      await passOn(workspace, source),
      await passOn(workspace, source, { client_id: client.id }),
    ];
    const path = `/templates/${source.id}/migrate-and-delete`;
    const body = { target_template_id: target.id };
    expect(expectStatus(await workspace.post(path, body), 200).body.data).toEqual({
      deleted_template_id: source.id,
      target_template_id: target.id,
      migrated_passes: 2,
    });
    for (const { id } of passes)
      expect((await workspace.get(`/passes/${id}`)).body.data).toMatchObject({
        pass_template_id: target.id,
        project_id: target.project_id,
      });
    expectStatus(await workspace.get(`/pass-templates/${source.id}`), 404);
    expectRefusal(await workspace.post(path, body), 404, 'RECORD_NOT_FOUND');
  });

  test('are migrated once under a key: its repeat is answered as the first time, though they are gone', async () => {
    const [source, target] = [await newTemplate(workspace), await newTemplate(workspace)];
    const path = `/templates/${source.id}/migrate-and-delete`;
    const key = { 'Idempotency-Key': randomUUID() };
    const migrate = (caller: TestWorkspace, target_template_id = target.id) =>
      caller.post(path, { target_template_id }, key);
    const first = expectStatus(await migrate(workspace), 200);
    const again = expectStatus(await migrate(workspace), 200);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expectRefusal(await migrate(workspace, randomUUID()), 409, 'CONFLICT', 'Idempotency-Key');
    expectRefusal(await migrate(stranger), 404, 'RECORD_NOT_FOUND');
  });

  test('are not migrated onto themselves, into the dark, or across workspaces', async () => {
    const { id } = await newTemplate(workspace);
    const foreign = await newTemplate(stranger);
    const path = `/templates/${id}/migrate-and-delete`;
    for (const target_template_id of [undefined, id, randomUUID(), foreign.id])
      expectRefusal(
        await workspace.post(path, { target_template_id }),
        400,
        'INVALID_PAYLOAD',
        'target_template_id',
      );
    expectStatus(await stranger.post(path, { target_template_id: foreign.id }), 404);
  });

  test('do not exist for strangers', async () => {
    const path = `/pass-templates/${(await newTemplate(workspace)).id}`;
    for (const reply of [
      await stranger.get(path),
      await stranger.patch(path, { name: 'Mine' }),
      await stranger.del(path),
    ])
      expectRefusal(reply, 404, 'RECORD_NOT_FOUND');
    const { data } = (await stranger.get(':ws/pass-templates')).body;
    expect(data.map((row: { id: string }) => row.id)).not.toContain(path.split('/').at(-1));
  });
});
