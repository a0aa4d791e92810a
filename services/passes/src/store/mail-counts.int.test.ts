import { commitOnce } from '@laurel/mongo';
import { Harness } from '../testing/enrollment-harness';
import { createEnrollmentMailStore } from './enrollment-mails';
import { createResendStore } from './resends';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness.close());

const NOW = new Date('2026-03-01T12:00:00Z');

test('many workspaces together mail one address no more than its limit because of forms', async () => {
  const mails = createEnrollmentMailStore(harness.store.connection);
  const limits = { now: NOW, ofSource: 10, ofClient: 20, toOne: 3 };
  const mailOf = (workspace: string) =>
    mails.count(
      workspace,
      { clientId: `client of ${workspace}`, enrollmentId: workspace, to: 'ann', source: null },
      limits,
    );
  const sent = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(mailOf));
  expect(sent.filter(Boolean)).toHaveLength(3);
});

test('links are resent as often as the narrowest count allows, and a refused mail counts nowhere', async () => {
  const { connection } = harness.store;
  const resends = createResendStore(connection);
  const count = (pass: string, workspaceId: string) => {
    const counts = [
      { name: pass, workspaceId, max: 2, per: 'day' as const },
      { name: 'to:bo', workspaceId: null, max: 3, per: 'hour' as const },
    ];
    return commitOnce(connection, (session) => resends.count(counts, NOW, session));
  };
  expect(await count('p1', 'a')).toBeNull();
  expect(await count('p1', 'a')).toBeNull();
  expect(await count('p1', 'a')).toMatchObject({
    usedUp: { name: 'p1' },
    retryAfterSeconds: 43_200,
  });
  const others = await Promise.all(['p2', 'p3', 'p4'].map((pass) => count(pass, 'b')));
  expect(others.filter((refused) => refused === null)).toHaveLength(1);
  const refused = { usedUp: { name: 'to:bo' }, retryAfterSeconds: 3_600 };
  expect(others.filter((each) => each !== null)).toMatchObject([refused, refused]);
});
