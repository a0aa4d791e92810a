import {
  PASS_ID,
  sampleFacts,
  samplePass,
  sampleTemplate,
  WORKSPACE_ID,
} from '../../testing/samples';
import { viewPass } from '../wallet/view';
import { emptyTemplate, retiredPass } from './retirement';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const pass = { id: PASS_ID, workspace_id: WORKSPACE_ID, link_generation: 2 };
const line = { id: '1', label: 'Member', value: '{{first_name}}' };
const template = sampleTemplate({
  name: 'Card of {{first_name}}',
  pass_type: 'OFFER',
  background_color: '#112233',
  logo_text: 'Bean & Leaf',
  icon: 'https://example.com/icon.png',
  cover_image: 'https://example.com/{{custom_fields.photo}}',
  barcode_type: 'aztec',
  top_field_value: '{{first_name}}',
  front_fields: [line],
  back_fields: [line],
  locations: [{ latitude: 1, longitude: 2 }],
  show_referral_code_on_back: true,
});
const retired = retiredPass(pass, template, NOW);

test('for thirty days a pass that is gone is known by its links, and then no more', () => {
  expect(retired).toMatchObject({ passId: PASS_ID, workspaceId: WORKSPACE_ID, linkGeneration: 2 });
  expect(retired.until).toEqual(new Date('2026-04-09T12:00:00.000Z'));
});

test('of the look only that is kept which was the same for everybody', () => {
  expect(retired.look).toMatchObject({
    pass_type: 'OFFER',
    background_color: '#112233',
    logo_text: 'Bean & Leaf',
    icon: 'https://example.com/icon.png',
    logo: null,
    name: '',
    cover_image: null,
  });
  expect(retiredPass(pass, sampleTemplate({ name: 'Card' }), NOW).look.name).toBe('Card');
});

test('the empty card has the look of the card before it, and nothing else on it', () => {
  const empty = emptyTemplate(retired);
  expect(empty).toMatchObject({ id: template.id, workspace_id: WORKSPACE_ID });
  const shown = viewPass(empty, samplePass, sampleFacts());
  expect(shown).toMatchObject({ passType: 'OFFER', backgroundColor: '#112233', barcode: null });
  const { front, secondary, back, top, locations } = shown;
  expect([...front, ...secondary, ...back, ...locations]).toEqual([]);
  expect(top).toBeNull();
});
