import { sampleTemplate } from '../../testing/samples';
import { changedTemplate, newTemplate } from './template';
import { BACK_SECTIONS, templateWarnings } from './template-texts';

const known = { fields: new Set(['city']), walletCodes: new Set(['beans']) };
const warned = (...[fields]: [Parameters<typeof templateWarnings>[0]]) =>
  templateWarnings(fields, known).map(({ field, placeholder, message }) => {
    expect(message).toMatch(/\w+ \w+/);
    return `${field}: ${placeholder}`;
  });
const line = (label: string, value: string) => ({ id: 'l', label, value });

test('a template of which everything shows something has no warning', () => {
  expect(warned({})).toEqual([]);
  expect(
    warned({
      logo_text: 'Hello {{first_name}} of {{city}}',
      icon: '${custom_fields.city}',
      barcode_id: '{{email}}',
      front_fields: Array(5).fill(line('Points', '${wallet:beans.points}')),
      secondary_fields: Array(4).fill(line('Tier', '${loyalty.tier}')),
      locations: Array(10).fill({ latitude: 1, longitude: 2 }),
      back_sections_order: [...BACK_SECTIONS],
      apple_pass_type_identifier: 'pass.com.example.loyalty-1',
    }),
  ).toEqual([]);
});

test.each([
  'name',
  'description',
  'icon',
  'logo',
  'cover_image',
  'logo_text',
  'barcode_id',
  'barcode_label',
  'top_field_label',
  'top_field_value',
  'location_message',
  'tier_label',
])('a placeholder that nothing fills is reported of the text %s', (name) => {
  expect(warned({ [name]: 'of {{town}}' })).toEqual([`${name}: {{town}}`]);
  expect(warned({ [name]: null })).toEqual([]);
});

test('a placeholder of the name is reported, since all cards have one name at Google', () => {
  const name = '{{first_name}} of {{town}}, ${loyalty.tier}';
  expect(warned({ name }).sort()).toEqual([
    'name: ${loyalty.tier}',
    'name: {{first_name}}',
    'name: {{town}}',
  ]);
});

test('a placeholder that nothing fills is reported of the name of each place', () => {
  const place = { latitude: 1, longitude: 2 };
  const locations = [place, { ...place, name: '{{city}}' }, { ...place, name: 'in {{town}}' }];
  expect(warned({ locations })).toEqual(['locations.2.name: {{town}}']);
});

test.each(['front_fields', 'secondary_fields', 'back_fields'] as const)(
  'a placeholder that nothing fills is reported of label and value of each line of %s',
  (list) => {
    const lines = [line('Points', '1'), line('{{town}}', '${wallet:stars.points}')];
    expect(warned({ [list]: lines })).toEqual([
      `${list}.1.label: {{town}}`,
      `${list}.1.value: \${wallet:stars.points}`,
    ]);
  },
);

test('lines and places that wallets have no room for are counted in a warning', () => {
  const lines = (count: number) => Array(count).fill(line('a', 'b'));
  expect(warned({ front_fields: lines(6) })).toEqual(['front_fields: 6']);
  expect(warned({ secondary_fields: lines(5) })).toEqual(['secondary_fields: 5']);
  expect(warned({ back_fields: lines(50) })).toEqual([]);
  const places = Array(11).fill({ latitude: 1, longitude: 2 });
  expect(warned({ locations: places })).toEqual(['locations: 11']);
});

test('a barcode that would be the same on all cards has a warning', () => {
  expect(warned({ barcode_id: 'SHOP-1' })).toEqual(['barcode_id: SHOP-1']);
  expect(warned({ barcode_id: '' })).toEqual([]);
});

test('what is no section of the back is named by its place', () => {
  expect(warned({ back_sections_order: ['benefits', 'weather'] })).toEqual([
    'back_sections_order.1: weather',
  ]);
});

test.each(['com.example', 'pass.', 'my pass.com.example', 'pass.com.example card'])(
  'an identifier that Apple cannot have given is reported: %s',
  (identifier) => {
    expect(warned({ apple_pass_type_identifier: identifier })).toEqual([
      `apple_pass_type_identifier: ${identifier}`,
    ]);
  },
);

test('a template that says no more than its name shows a QR code and no more', () => {
  const author = { userId: 'u', now: new Date(1_000) };
  const place = { id: 't', workspaceId: 'w', projectId: 'p' };
  const template = newTemplate({ ...place, fields: { name: 'Card' } }, author);
  expect(template).toMatchObject({ name: 'Card', pass_type: 'LOYALTY', barcode_type: 'qr' });
  expect(template).toMatchObject({ id: 't', workspace_id: 'w', project_id: 'p', migrated: 0 });
  const { front_fields, secondary_fields, back_fields, locations } = template;
  expect([front_fields, secondary_fields, back_fields, locations]).toEqual([[], [], [], []]);
  expect(Object.entries(template).filter(([, value]) => value === true)).toEqual([]);
});

test('a changed template keeps what was not changed, and who changed it', () => {
  const before = sampleTemplate({ logo_text: 'A', tier_label: 'T' });
  const now = new Date('2026-05-01T00:00:00Z');
  const after = changedTemplate(before, { logo_text: 'B' }, { userId: 'u', now });
  expect(after).toMatchObject({ logo_text: 'B', tier_label: 'T', user_updated: 'u' });
  expect([after.date_updated, after.date_created]).toEqual([now, before.date_created]);
});
