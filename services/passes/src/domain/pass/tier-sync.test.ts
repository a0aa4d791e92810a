import { TEMPLATE_ID } from '../../testing/samples';
import type { Pass } from './pass';
import {
  homeOf,
  isLeftToTiers,
  isOfTemplate,
  syncedFields,
  type TierOnPass,
  templateBeforeTier,
  withoutTierTemplate,
  withTierField,
  withTierTemplate,
} from './tier-sync';

const tier = (id: string, pass_sync_config: TierOnPass['pass_sync_config'] = {}): TierOnPass => ({
  id,
  name: `Tier ${id}`,
  pass_template_id: null,
  pass_sync_config,
});
const gold = tier('gold', { field_name: 'level', sync_value: 'GOLD' });
const silver = tier('silver', { field_name: 'level' });
const plain = tier('plain');

test('a tier writes its value into the field that it names, and its own name where it has no value', () => {
  expect(syncedFields({ seat: '1' }, [gold, silver], gold)).toEqual({ seat: '1', level: 'GOLD' });
  expect(syncedFields({}, [gold, silver], silver)).toEqual({ level: 'Tier silver' });
});

test('what the tier before had written goes, what somebody else wrote there stays', () => {
  expect(syncedFields({ level: 'GOLD' }, [gold, silver], silver)).toEqual({ level: 'Tier silver' });
  expect(syncedFields({ level: 'GOLD', seat: '1' }, [gold, plain], plain)).toEqual({ seat: '1' });
  expect(syncedFields({ level: 'GOLD' }, [gold], null)).toEqual({});
  expect(syncedFields({ level: 'mine' }, [gold, plain], plain)).toEqual({ level: 'mine' });
  expect(syncedFields({ level: 'mine' }, [gold], null)).toEqual({ level: 'mine' });
  const elsewhere = tier('other', { field_name: 'rank' });
  expect(syncedFields({ level: 'GOLD' }, [gold, elsewhere], elsewhere)).toEqual({
    rank: 'Tier other',
  });
});

test('the fields that were given are left as they are', () => {
  const given = { level: 'GOLD' };
  syncedFields(given, [gold], null);
  expect(given).toEqual({ level: 'GOLD' });
});

/** A pass with fields, and what a tier wrote on it. */
const bearing = (pass_fields: Pass['pass_fields'], tier_field: Pass['tier_field'] = null) =>
  ({ pass_fields, tier_field, serial_number: 'S' }) as unknown as Pass;

test('a pass knows what its tier wrote on it, and nothing where none writes', () => {
  const golden = withTierField(bearing({ seat: '1' }), [gold], gold);
  const level = { name: 'level', value: 'GOLD' };
  expect(golden).toEqual(bearing({ seat: '1', level: 'GOLD' }, level));
  expect(withTierField(golden, [gold, plain], plain)).toEqual(bearing({ seat: '1' }));
  expect(withTierField(golden, [gold], null)).toEqual(bearing({ seat: '1' }));
});

test('what a tier wrote goes with it, also where the tier has another value by now or is gone; what was put in its place stays', () => {
  const written = { name: 'level', value: 'OLD GOLD' };
  const left = (level: string) =>
    withTierField(bearing({ level, seat: '1' }, written), [gold, plain], plain);
  expect(left('OLD GOLD')).toEqual(bearing({ seat: '1' }));
  expect(left('mine')).toEqual(bearing({ level: 'mine', seat: '1' }));
});

test('a field is left to tiers while it shows what one wrote, or where one would write and nothing is', () => {
  const written = { name: 'level', value: 'GOLD' };
  expect(isLeftToTiers(bearing({ level: 'GOLD' }, written), gold)).toBe(true);
  expect(isLeftToTiers(bearing({ level: 'mine' }, written), gold)).toBe(false);
  expect(isLeftToTiers(bearing({}, written), gold)).toBe(false);
  expect(isLeftToTiers(bearing({}), gold)).toBe(true);
  expect(isLeftToTiers(bearing({ level: null }), gold)).toBe(true);
  expect(isLeftToTiers(bearing({ level: 'mine' }), gold)).toBe(false);
  expect(isLeftToTiers(bearing({}), plain)).toBe(false);
  expect(isLeftToTiers(bearing({}), null)).toBe(false);
});

const place = (id: string) => ({ id, project_id: `project of ${id}` });
const onPlain = {
  pass_template_id: TEMPLATE_ID,
  project_id: 'first',
  previous_template_id: null,
  tier_template: null,
} as Pass;

test('a tier puts a pass on its template, and the pass knows where it was before all tiers', () => {
  const golden = withTierTemplate(onPlain, place('gold'));
  expect(golden).toMatchObject({ pass_template_id: 'gold', project_id: 'project of gold' });
  expect(templateBeforeTier(golden)).toBe(TEMPLATE_ID);
  const higher = withTierTemplate(golden, place('platinum'));
  expect(higher.pass_template_id).toBe('platinum');
  expect(templateBeforeTier(higher)).toBe(TEMPLATE_ID);
});

test('a pass that is on the template already was not put there by a tier', () => {
  const there = withTierTemplate(onPlain, place(TEMPLATE_ID));
  expect(there).toBe(onPlain);
  expect(templateBeforeTier(there)).toBeNull();
});

test('a pass that somebody put elsewhere since does not go back where it was before the tier', () => {
  const moved = { ...withTierTemplate(onPlain, place('gold')), pass_template_id: 'chosen' };
  expect(templateBeforeTier(moved)).toBeNull();
  expect(templateBeforeTier(withTierTemplate(moved, place('gold')))).toBe('chosen');
});

test('on a temporary template a pass stays there, and goes to that of the tier when it ends', () => {
  const away = { ...onPlain, pass_template_id: 'summer', previous_template_id: TEMPLATE_ID };
  const golden = withTierTemplate(away, place('gold'));
  expect(golden).toMatchObject({ pass_template_id: 'summer', project_id: 'first' });
  expect(golden.previous_template_id).toBe('gold');
  expect(templateBeforeTier(golden)).toBe(TEMPLATE_ID);
  expect(withoutTierTemplate(golden, place(TEMPLATE_ID))).toEqual(away);
});

test('once no tier asks for a template, the pass is back as if none had', () => {
  const golden = withTierTemplate(onPlain, place('gold'));
  expect(withoutTierTemplate(golden, { id: TEMPLATE_ID, project_id: 'first' })).toEqual(onPlain);
});

test('whatever it shows, a pass is one of the template that it was on before its tier and before a temporary one', () => {
  const away = { ...onPlain, pass_template_id: 'summer', previous_template_id: TEMPLATE_ID };
  const golden = withTierTemplate(away, place('gold'));
  for (const pass of [onPlain, away, golden, withTierTemplate(onPlain, place('gold'))])
    expect(homeOf(pass)).toBe(TEMPLATE_ID);
  expect(homeOf({ ...onPlain, pass_template_id: 'chosen' })).toBe('chosen');
});

test('who has a pass has one on the template that it shows, on that which it goes back to, and on that before its tier', () => {
  const away = { ...onPlain, pass_template_id: 'summer', previous_template_id: TEMPLATE_ID };
  const golden = withTierTemplate(away, place('gold'));
  for (const id of ['summer', 'gold', TEMPLATE_ID]) expect(isOfTemplate(golden, id)).toBe(true);
  expect(isOfTemplate(golden, 'other')).toBe(false);
  expect(isOfTemplate(onPlain, 'gold')).toBe(false);
});
