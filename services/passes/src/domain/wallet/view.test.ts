import { sampleFacts, samplePass, sampleTemplate } from '../../testing/samples';
import { factsNeeded, viewPass } from './view';

const line = (value: string, id = 'a', label = 'Label') => ({ id, label, value });
const fillOf = (text: string, facts = sampleFacts(), pass = samplePass) =>
  viewPass(sampleTemplate({ front_fields: [line(text)] }), pass, facts).front[0]!.value;

describe('a placeholder', () => {
  test.each([
    ['{{first_name}} {{ last_name }}', 'Ada Lovelace'],
    ['{{city}}, size {{custom_fields.shoe_size}}', 'Berlin, size 38'],
    ['${wallet.points} ${wallet.unit_plural_name}', '12.5 beans'],
    [
      '${wallet:stars.points} ${wallet:stars.name} (${wallet:stars.unit_singular_name})',
      '7 Stars (star)',
    ],
    ['${loyalty.tier} is level ${loyalty.tier_level}', 'Gold is level 2'],
    ['${loyalty.referral_code}', 'ADA2345'],
    ['{{nickname}}', ''],
  ])('%s shows %s', (text, shown) => {
    expect(fillOf(text)).toBe(shown);
  });

  test('shows nothing on a pass without a client', () => {
    const nobody = sampleFacts({ identity: null, customFields: {}, wallets: [], tier: null });
    expect(fillOf('{{first_name}}${loyalty.tier}', nobody)).toBe('');
  });

  test('is not filled a second time by what a client wrote into a field', () => {
    const facts = sampleFacts({ identity: { first_name: '${loyalty.referral_code}' } });
    expect(fillOf('{{first_name}}', facts)).toBe('${loyalty.referral_code}');
  });
});

describe('an override of a pass', () => {
  const template = sampleTemplate({
    logo_text: 'Bean & Leaf',
    background_color: '#112233',
    front_fields: [line('as it was', 'greeting', 'Hello')],
    back_fields: [line('{{seat}}')],
  });
  const shown = (pass_fields: Record<string, string | number>) =>
    viewPass(template, { ...samplePass, pass_fields }, sampleFacts());

  test('replaces a text, a colour, and a line by its id or its label', () => {
    expect(shown({ logo_text: 'VIP' }).logoText).toBe('VIP');
    expect(shown({ background_color: '#445566' }).backgroundColor).toBe('#445566');
    expect(shown({ greeting: 'by id' }).front[0]!.value).toBe('by id');
    expect(shown({ Hello: 'by label' }).front[0]!.value).toBe('by label');
  });

  test('fills the placeholder of its name', () => {
    expect(shown({ seat: '12A' }).back[0]!.value).toBe('12A');
  });

  test('that is no colour leaves the colour alone', () => {
    expect(shown({ background_color: 'red' }).backgroundColor).toBe('#112233');
  });
});

describe('the back of a pass', () => {
  const all = {
    show_benefits_on_back: true,
    show_available_rewards_on_back: true,
    show_active_rewards_on_back: true,
    show_loyalty_portal_link_on_back: true,
    show_referral_code_on_back: true,
    back_fields: [line('Be nice', 'terms', 'Terms')],
  };
  const keys = (fields: Parameters<typeof sampleTemplate>[0]) =>
    viewPass(sampleTemplate(fields), samplePass, sampleFacts()).back.map(({ key }) => key);

  test('shows the sections that are on', () => {
    expect(keys({ back_fields: all.back_fields })).toEqual(['terms']);
    expect(keys({ show_referral_code_on_back: true })).toEqual(['referral_code']);
    expect(keys(all)).toHaveLength(6);
  });

  test('follows back_sections_order, and puts what it does not name behind', () => {
    const order = ['back_fields', 'referral_code', 'no such section', 'benefits'];
    expect(keys({ ...all, back_sections_order: order })).toEqual([
      'terms',
      'referral_code',
      'benefits',
      'available_rewards',
      'active_rewards',
      'loyalty_portal_link',
    ]);
  });

  test('leaves out what there is nothing of', () => {
    const nothing = sampleFacts({ benefits: [], availableRewards: [], referralCode: null });
    const { back } = viewPass(sampleTemplate(all), samplePass, nothing);
    expect(back.map(({ key }) => key)).toEqual(['active_rewards', 'loyalty_portal_link', 'terms']);
  });
});

test('text is readable on any background where the template names no colours', () => {
  const on = (background_color: string) =>
    viewPass(sampleTemplate({ background_color }), samplePass, sampleFacts()).valueColor;
  expect(on('#FFE08A')).toBe('#111827');
  expect(on('#123456')).toBe('#FFFFFF');
});

test('the names of places are filled as other texts are', () => {
  const places = [
    { latitude: 1, longitude: 2, name: 'near {{city}}' },
    { latitude: 3, longitude: 4 },
  ];
  const { locations } = viewPass(sampleTemplate({ locations: places }), samplePass, sampleFacts());
  expect(locations).toEqual([{ ...places[0], name: 'near Berlin' }, places[1]]);
});

test('a barcode holds the value of the pass and nothing else', () => {
  const barcode = (fields: Parameters<typeof sampleTemplate>[0]) =>
    viewPass(sampleTemplate(fields), samplePass, sampleFacts()).barcode;
  expect(barcode({})).toEqual({ type: 'qr', value: 'BARCODE-1', label: '' });
  expect(barcode({ barcode_id: '{{email}}', barcode_type: 'aztec' })).toMatchObject({
    type: 'aztec',
    value: 'BARCODE-1',
  });
  expect(barcode({ barcode_type: 'none' })).toBeNull();
});

test('a pass asks only for what it shows something of', () => {
  expect(factsNeeded(sampleTemplate(), samplePass)).toEqual({
    wallets: false,
    tier: false,
    referralCode: false,
    benefits: false,
    availableRewards: false,
    activeRewards: false,
    portalUrl: false,
  });
  const top = sampleTemplate({ top_field_value: '${ wallet.points }' });
  expect(factsNeeded(top, samplePass).wallets).toBe(true);
  const overridden = { pass_fields: { note: '${loyalty.tier}' } };
  expect(factsNeeded(sampleTemplate(), overridden).tier).toBe(true);
});
