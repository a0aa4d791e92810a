import { runInContext, systemContext } from '@laurel/lifecycle';
import type { identity } from '@laurel/rpc';
import { type IdentityUnderTest, identityUnderTest } from '../testing/identity-under-test';
import { getMailWriter } from './get-mail-writer';
import { getSettings, getWorkspace } from './get-workspace';
import { getBrand, putBrand } from './put-brand';
import { putPortalConfig } from './put-portal-config';
import { getPortalConfig } from './read-portal';
import { updateSettings } from './update-settings';

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
const ETAG = expect.any(String);

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
    expect(await getBrand(it.deps, { workspace_id: id })).toEqual({ ...NOTHING, etag: ETAG });
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
    const both = { ...NOTHING, etag: ETAG, name: 'Bean', primary_color: '#3B2A20' };
    expect(await getBrand(it.deps, { workspace_id: id })).toEqual(both);
    expect(await brand({ name: null })).toEqual({ ...both, name: null });
    expect((await portal()).workspace_name).toBe('Coffee Corner');
  });

  test('is of a version of its own: neither settings nor portal move it, and a look that is over is refused', async () => {
    const asked = { workspace_id: id };
    const seen = (await getBrand(it.deps, asked)).etag!;
    await updateSettings(it.deps, { ...asked, default_currency: 'CHF' });
    await say({ welcome_title: 'Hello' });
    const under = <T>(etag: string, work: () => Promise<T>) =>
      runInContext(systemContext({ condition: [etag] }), work);
    const { etag } = await under(seen, () => brand({ name: 'Bean' }));
    expect(etag).not.toBe(seen);
    await expect(under(seen, () => brand({ name: 'Leaf' }))).rejects.toMatchObject({
      httpStatus: 412,
      problems: [{ extensions: { reason: 'changed_meanwhile', changed_at: expect.any(String) } }],
    });
    // Nothing named is nothing changed, and yet asked of what is not there any more.
    await expect(under(seen, () => brand({}))).rejects.toMatchObject({ httpStatus: 412 });
    expect(await getBrand(it.deps, asked)).toMatchObject({ name: 'Bean', etag });
    const parts: [string, () => Promise<unknown>][] = [
      [
        (await getSettings(it.deps, asked)).etag!,
        () => updateSettings(it.deps, { ...asked, timezone: 'UTC' }),
      ],
      [(await getPortalConfig(it.deps, asked)).etag!, () => say({ welcome_title: 'Hi' })],
    ];
    for (const [first, change] of parts) {
      await under(first, change);
      await expect(under(first, change)).rejects.toMatchObject({ httpStatus: 412 });
    }
  });
});
