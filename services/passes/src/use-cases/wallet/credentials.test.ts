import { X509Certificate } from 'node:crypto';
import { metrics } from '@laurel/lifecycle';
import { makeLocalApple } from '../../outside/credentials/make-local';
import type { CredentialsStore } from '../../store/credentials';
import { createCredentials } from './credentials';

const TEAM = 'ABCDE12345';
const PASS_TYPE = 'pass.com.example.loyalty';
const NOW = new Date('2026-11-28T12:00:00Z');
/** What is made here holds for twenty years. */
const AFTER_ITS_END = new Date('2050-01-01T00:00:00Z');

const ofNobody = { find: async () => null } as unknown as CredentialsStore;

async function settingsOf(team = TEAM) {
  const { certificate, key, issuer } = await makeLocalApple(NOW, { passType: PASS_TYPE, team });
  return {
    applePassTypeIdentifier: PASS_TYPE,
    appleTeamIdentifier: TEAM,
    applePassCertificate: certificate,
    applePassKey: key,
    appleWwdrCertificate: issuer,
  };
}

describe('the certificate of the deployment', () => {
  test('is trusted until its end, by processes that run on as by those that start afterwards, and signs on for the phones that know it', async () => {
    const settings = await settingsOf();
    let now = NOW;
    const clock = { now: () => now };
    const before = createCredentials({ store: ofNobody, settings, clock });
    const taken = { passTypeIdentifier: PASS_TYPE, key: settings.applePassKey };
    expect(await before.apple('w')).toMatchObject({ ...taken, trusted: true });
    now = AFTER_ITS_END;
    const after = createCredentials({ store: ofNobody, settings, clock });
    for (const credentials of [before, after])
      expect(await credentials.apple('w')).toMatchObject({ ...taken, trusted: false });
    const end = new Date(new X509Certificate(settings.applePassCertificate).validTo);
    expect((await after.status('w')).apple).toEqual({
      ready: false,
      own: false,
      valid_until: end.toISOString(),
      missing: [
        'APPLE_PASS_CERTIFICATE: not within its dates',
        'APPLE_WWDR_CERTIFICATE: not within its dates',
      ],
    });
  });

  test('that phones would not take signs, and is not trusted', async () => {
    const settings = await settingsOf('OTHERTEAM1');
    const credentials = createCredentials({ store: ofNobody, settings, clock: { now: () => NOW } });
    expect(await credentials.apple('w')).toMatchObject({
      passTypeIdentifier: PASS_TYPE,
      trusted: false,
    });
  });

  /** When it ends, as operators hear of it. */
  const toldEnd = async () => {
    const told = /^wallet_certificate_not_after_seconds (\d+)$/m.exec(
      await metrics.registry.metrics(),
    );
    return Number(told?.[1]) * 1_000;
  };

  test('tells operators when it ends', async () => {
    const clock = { now: () => NOW };
    const made = createCredentials({ store: ofNobody, settings: await settingsOf(), clock });
    expect(made).toBeDefined();
    const years = ((await toldEnd()) - NOW.getTime()) / (365 * 86_400_000);
    expect(Math.round(years)).toBe(20);
  });

  test('that cannot sign leaves phones the pass type that they know, is not trusted, and is over for operators', async () => {
    const made = {
      find: async () => null,
      local: (_wallet: string, make: () => unknown) => make(),
    };
    const store = made as unknown as CredentialsStore;
    const { key: applePassKey } = await makeLocalApple(NOW);
    for (const unusable of [{ applePassKey }, { applePassKey: undefined }]) {
      const settings = { ...(await settingsOf()), ...unusable };
      const credentials = createCredentials({ store, settings, clock: { now: () => NOW } });
      const named = { passTypeIdentifier: PASS_TYPE, teamIdentifier: TEAM };
      expect(await credentials.apple('w')).toMatchObject({ ...named, trusted: false });
      expect(await toldEnd()).toBe(NOW.getTime());
    }
  });
});
