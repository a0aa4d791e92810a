import type { JsonObject } from '@laurel/errors';
import { sampleFacts, samplePass, sampleTemplate } from '../../testing/samples';
import { overriding } from './overrides';
import { viewPass } from './view';

const template = sampleTemplate({ logo_text: 'Beans', background_color: '#112233' });
const of = (passFields: JsonObject) => overriding(template, passFields);

test('a number or a truth is shown as it is written; what is none of a text is no override', () => {
  expect(of({ logo_text: 5 }).logo_text).toBe('5');
  expect(of({ logo_text: true }).logo_text).toBe('true');
  for (const nothing of [null, ['a'], { a: 1 }])
    expect(of({ logo_text: nothing }).logo_text).toBe('Beans');
});

test('only what is a colour as a whole replaces a colour', () => {
  expect(of({ background_color: '#aAbB09' }).background_color).toBe('#aAbB09');
  for (const none of ['x#445566', '#4455667', '#44556', '445566'])
    expect(of({ background_color: none }).background_color).toBe('#112233');
  expect(of({}).background_color).toBe('#112233');
});

test('what wallets know a pass by is no text of it, and is not replaced', () => {
  expect(of({ name: 'X', barcode_type: 'none', id: 'X' })).toEqual(template);
});

const shown = (changes: Parameters<typeof sampleTemplate>[0], facts = {}) =>
  viewPass(sampleTemplate(changes), samplePass, sampleFacts(facts));

test('a card without colours is dark with white text, and light ones have dark text', () => {
  const colours = ({ backgroundColor, labelColor, valueColor }: ReturnType<typeof shown>) =>
    [backgroundColor, labelColor, valueColor].join(' ');
  expect(colours(shown({}))).toBe('#1F2937 #FFFFFF #FFFFFF');
  expect(colours(shown({ background_color: '#FFFFFF' }))).toBe('#FFFFFF #111827 #111827');
  expect(colours(shown({ label_color: '#FF0000' }))).toBe('#1F2937 #FF0000 #FFFFFF');
});

test('the holder of a pass has the names that are known', () => {
  const named = (identity: Record<string, string | null> | null) =>
    shown({}, { identity }).holderName;
  expect(named({ first_name: 'Ada', last_name: null })).toBe('Ada');
  expect(named({ first_name: '', last_name: 'Lovelace' })).toBe('Lovelace');
  expect(named({ first_name: null, last_name: null })).toBeNull();
  expect(named(null)).toBeNull();
});

test('a picture that is filled for each client is filled, and none where nothing fills it', () => {
  expect(shown({ logo: 'https://example.com/{{city}}.png' }).logo).toBe(
    'https://example.com/Berlin.png',
  );
  expect(shown({ logo: '{{photo}}' }).logo).toBeNull();
  expect(shown({}).logo).toBeNull();
});

test('a line at the top is there where it has a name or a value', () => {
  expect(shown({ top_field_label: 'Beans' }).top).toEqual({
    key: 'top',
    label: 'Beans',
    value: '',
  });
  expect(shown({ top_field_value: '5' }).top).toMatchObject({ label: '', value: '5' });
  expect(shown({}).top).toBeNull();
});

test('the tier of a client has a line of its own before all others, where the card names it', () => {
  const secondary_fields = [{ id: '1', label: 'Since', value: '2020' }];
  expect(shown({ tier_label: 'Tier', secondary_fields }).secondary).toEqual([
    { key: 'tier_label', label: 'Tier', value: 'Gold' },
    { key: '1', label: 'Since', value: '2020' },
  ]);
  expect(shown({ tier_label: 'Tier' }, { tier: null }).secondary).toEqual([]);
});

test('a pass that is voided is shown as such', () => {
  const voided = (status: 'active' | 'voided') =>
    viewPass(sampleTemplate(), { ...samplePass, status }, sampleFacts()).voided;
  expect([voided('active'), voided('voided')]).toEqual([false, true]);
});
