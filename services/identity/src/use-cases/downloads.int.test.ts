import { type IdentityUnderTest, identityUnderTest, outcome } from '../testing/identity-under-test';
import { openDownload, takeDownload } from './open-download';

describe('an address for a file', () => {
  let it: IdentityUnderTest;
  beforeAll(async () => {
    it = await identityUnderTest();
  });
  afterAll(() => it.stop());

  async function opened() {
    const owner = await it.newUser();
    const { id: workspace_id } = await it.newWorkspace(owner);
    const asked = { kind: 'customers', params: { search: '$a.b' } };
    const open = (user_id = owner.id) => openDownload(it.deps, { workspace_id, user_id, ...asked });
    return { owner, workspace_id, asked, open };
  }

  test('is good once, however many come with it at once', async () => {
    const { owner, workspace_id, asked, open } = await opened();
    const { token, expires_at } = await open();
    expect(Date.parse(expires_at) - it.clock.now().getTime()).toBe(60_000);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => takeDownload(it.deps, { token }).catch(() => null)),
    );
    expect(outcomes.filter((each) => each !== null)).toMatchObject([
      { workspace_id, user_id: owner.id, ...asked },
    ]);
    expect(await outcome(takeDownload(it.deps, { token }))).toBe('RECORD_NOT_FOUND');
  });

  test('is good for a minute', async () => {
    const { open } = await opened();
    const { token } = await open();
    it.clock.advanceMs(60_000);
    expect(await outcome(takeDownload(it.deps, { token }))).toBe('RECORD_NOT_FOUND');
  });

  test('ends with the membership of who asked for it, and is kept as a digest only', async () => {
    const { workspace_id, open } = await opened();
    const { token } = await open((await it.newUser()).id);
    expect(await outcome(takeDownload(it.deps, { token }))).toBe('RECORD_NOT_FOUND');
    const rows = it.deps.connection.collection<{ _id: string; workspace_id: string }>('downloads');
    const { token: kept } = await open();
    const [row] = await rows.find({ workspace_id }).toArray();
    expect(JSON.stringify(row)).not.toContain(kept);
  });
});
