import type { identity } from '@laurel/rpc';
import { type IdentityUnderTest, identityUnderTest } from '../testing/identity-under-test';
import { getMailWriter } from './get-mail-writer';
import { getWorkspace } from './get-workspace';
import { getBrand, putBrand } from './put-brand';
import { putPortalConfig } from './put-portal-config';
import { getPortalConfig } from './read-portal';

const LOGO = '01a207fa-ca80-7b85-a330-fb3dd5beea25';
const NOTHING = {
  name: null,
  logo: null,
  icon: null,
  primary_color: null,
  background_color: null,
  privacy_url: null,
  imprint_url: null,
};

describe('the brand of a shop', () => {
  let it: IdentityUnderTest;
  let id: string;
  beforeAll(async () => {
    it = await identityUnderTest();
  });
  afterAll(() => it.stop());
  beforeEach(async () => {
    ({ id } = await it.newWorkspace(await it.newUser()));
  });

  const brand = (changes: Omit<identity.PutBrandRequest, 'workspace_id'>) =>
    putBrand(it.deps, { workspace_id: id, ...changes });
  const portal = async () => (await getPortalConfig(it.deps, { workspace_id: id })).config!;
  const say = (changes: Omit<identity.PutPortalConfigRequest, 'workspace_id'>) =>
    putPortalConfig(it.deps, { workspace_id: id, ...changes });
  const mail = async () =>
    (await getMailWriter(it.deps, { workspace_id: id, kind: 'pass' })).brand!;

  test('is nothing until something is said, and then nothing looks otherwise than before', async () => {
    expect(await getBrand(it.deps, { workspace_id: id })).toEqual(NOTHING);
    expect((await getWorkspace(it.deps, { workspace_id: id })).brand).toBeUndefined();
    await say({ primary_color: '#AA0000', logo_url: 'https://s.example/l.png' });
    const before = await portal();
    expect(await mail()).toMatchObject({ colour: '#AA0000', logo_url: 'https://s.example/l.png' });
    await brand({});
    expect(await portal()).toEqual(before);
  });

  test('is what portal and mails take where they say nothing, and leaves what they say', async () => {
    await brand({
      name: 'Bohne & Blatt',
      logo: LOGO,
      primary_color: '#3B2A20',
      privacy_url: 'https://s.example/privacy',
      imprint_url: 'https://s.example/imprint',
    });
    const logo_url = `http://localhost/assets/${LOGO}?height=160`;
    expect(await portal()).toMatchObject({
      workspace_name: 'Bohne & Blatt',
      logo_url,
      primary_color: '#3B2A20',
      background_color: '#F6F7F4',
      privacy_url: 'https://s.example/privacy',
      imprint_url: 'https://s.example/imprint',
    });
    expect(await mail()).toMatchObject({
      name: 'Bohne & Blatt',
      colour: '#3B2A20',
      logo_url,
      privacy_url: 'https://s.example/privacy',
      imprint_url: 'https://s.example/imprint',
    });
    await say({ primary_color: '#123456' });
    expect(await portal()).toMatchObject({ primary_color: '#123456', logo_url });
    await say({ primary_color: null });
    expect((await portal()).primary_color).toBe('#3B2A20');
  });

  test('changes by what is named alone, also when two change it at once', async () => {
    await Promise.all([brand({ name: 'Bean' }), brand({ primary_color: '#3B2A20' })]);
    const both = { ...NOTHING, name: 'Bean', primary_color: '#3B2A20' };
    expect(await getBrand(it.deps, { workspace_id: id })).toEqual(both);
    expect(await brand({ name: null })).toEqual({ ...both, name: null });
    expect((await portal()).workspace_name).toBe('Coffee Corner');
  });
});
