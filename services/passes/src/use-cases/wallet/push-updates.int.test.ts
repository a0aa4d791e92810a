import { generateKeyPairSync } from 'node:crypto';
import { platform } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { until, workOff } from '@laurel/testing';
import type { Room } from '@laurel/work';
import { unzipSync } from 'fflate';
import { decode } from 'jsonwebtoken';
import nock from 'nock';
import type { Pass } from '../../domain/pass/pass';
import { PushFailure } from '../../outside/apple/push';
import type { DeploymentSettings } from '../../outside/credentials/deployment';
import { LOCAL_TEAM_IDENTIFIER, makeLocalApple } from '../../outside/credentials/make-local';
import { createGoogleApi, GoogleAccountRefusal, GoogleRefusal } from '../../outside/google/api';
import type { Wallet } from '../../store/credentials';
import { pushing } from '../../store/metrics';
import type { PassUpdateDocument } from '../../store/pass-update-document';
import { GOOGLE, Harness, PASS_TYPE, pushDue } from '../../testing/wallet-harness';
import { deletePass } from '../pass/delete-pass';
import { listPushes, retryPush } from '../pass/list-pushes';
import { templateRefreshWorker } from '../template/work-template-refreshes';
import { getLatestApplePass, registerAppleDevice } from './apple-devices';
import { createCredentials } from './credentials';
import { getGoogleLink } from './get-google-link';
import { handleGoogleCallback } from './note-google-install';
import { pushWorker } from './push-updates';
import { pushWaiting } from './push-waiting';
import {
  deleteWalletCredentials,
  putAppleCredentials,
  putGoogleCredentials,
} from './put-credentials';

const SECOND = 1_000;
let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

const installedOn = async (devices: readonly string[], deps = harness.deps): Promise<Pass> => {
  const pass = await harness.newPass(await harness.newTemplate());
  for (const device of devices) await registerAppleDevice(deps, harness.call(pass, device));
  return pass;
};
const installed = (...devices: string[]): Promise<Pass> => installedOn(devices);
const ROOM_FOR_ONE: Room = { count: 1, share: 1, inHand: new Map() };
/** Works off everything that is due. */
const work = (deps = harness.deps): Promise<void> => pushDue(deps);

test('every device of a changed pass hears of it, and a pass without devices sends nothing', async () => {
  const pass = await installed('phone', 'watch');
  const lonely = await installed();
  await harness.changePoints(pass, 5);
  await harness.ask(lonely);
  await work();
  expect(harness.pushed.sort()).toEqual(['token of phone', 'token of watch']);
});

test('changes within 5 seconds are one push, and the last of them is not lost', async () => {
  const pass = await installed('phone');
  for (let points = 1; points <= 5; points += 1) await harness.changePoints(pass, points);
  await work();
  expect(harness.pushed).toHaveLength(1);
  for (let points = 6; points <= 9; points += 1) {
    harness.clock.advanceMs(SECOND);
    await harness.changePoints(pass, points);
    await work();
  }
  expect(harness.pushed).toHaveLength(1);
  harness.clock.advanceMs(SECOND);
  await work();
  expect(harness.pushed).toHaveLength(2);
  harness.clock.advanceMs(60 * SECOND);
  await work();
  expect(harness.pushed).toHaveLength(2);
});

test('what many passes are drawn from is asked for once for all of them', async () => {
  const asked: string[] = [];
  const counting = <Peer extends object>(peer: Peer): Peer =>
    new Proxy(peer, {
      get: (of, name, receiver) => {
        asked.push(String(name));
        return Reflect.get(of, name, receiver);
      },
    });
  const passes = await Promise.all(
    Array.from({ length: 30 }, (_, at) => installed(`phone ${at}`, `watch ${at}`)),
  );
  for (const pass of passes) await harness.changePoints(pass, 7);
  const { clients, identity, ledger } = harness.deps;
  const worker = pushWorker({
    ...harness.deps,
    clients: { ...clients, GetClients: (request) => counting(clients).GetClients(request) },
    identity: { ...identity, GetWorkspace: (of) => counting(identity).GetWorkspace(of) },
    ledger: { ...ledger, ListBalances: (request) => counting(ledger).ListBalances(request) },
  });
  await workOff(worker);
  expect(harness.pushed).toHaveLength(60);
  expect(asked.sort()).toEqual(['GetClients', 'GetWorkspace', 'ListBalances']);
});

test('a pass that cannot be drawn keeps no push of another back, and is tried again by itself', async () => {
  const [pass, broken] = [await installed('phone'), await installed('other')];
  for (const each of [pass, broken]) await harness.changePoints(each, 5);
  const { passTokens } = harness.deps;
  let isBroken = true;
  const worker = pushWorker({
    ...harness.deps,
    passTokens: {
      ...passTokens,
      tokenOf: (one) => {
        if (isBroken && one.id === broken.id) throw new Error('no token for this one');
        return passTokens.tokenOf(one);
      },
    },
  });
  await workOff(worker);
  expect(harness.pushed).toEqual(['token of phone']);
  const { workspaceId } = harness;
  expect(await harness.deps.pushes.find(workspaceId, broken.id)).toMatchObject({
    status: 'pending',
    attempts: 1,
    error: 'the push failed inside the platform',
  });
  expect(await harness.deps.pushes.find(workspaceId, pass.id)).toMatchObject({ status: 'sent' });
  isBroken = false;
  harness.clock.advanceMs(10 * SECOND);
  await workOff(worker);
  expect(harness.pushed).toEqual(['token of phone', 'token of other']);
});

test('a change during a push is pushed after it, when others of its page had none', async () => {
  const [pass, other] = [await installed('phone'), await installed('other')];
  for (const each of [pass, other]) await harness.changePoints(each, 5);
  harness.apple = async (token) => {
    if (harness.points === 5 && token === 'token of phone') await harness.changePoints(pass, 6);
    return 'sent';
  };
  await work();
  expect(harness.pushed).toHaveLength(2);
  harness.clock.advanceMs(6 * SECOND);
  await work();
  expect(harness.pushed.slice(2)).toEqual(['token of phone']);
});

test('many replicas push once', async () => {
  const passes = await Promise.all(Array.from({ length: 12 }, () => installed('phone')));
  for (const pass of passes) await harness.changePoints(pass, 7);
  const others = await Promise.all([harness.anotherInstance(), harness.anotherInstance()]);
  await Promise.all([harness.deps, ...others].map(work));
  expect(harness.pushed).toHaveLength(12);
});

test('a change that the pass does not show wakes no phone', async () => {
  const pass = await installed('phone');
  await harness.changePoints(pass, 5);
  await work();
  harness.clock.advanceMs(10 * SECOND);
  await harness.ask(pass);
  await work();
  expect(harness.pushed).toHaveLength(1);
});

test('a pass that was read meanwhile is pushed all the same', async () => {
  const pass = await installed('phone', 'watch');
  await harness.changePoints(pass, 5);
  await getLatestApplePass(harness.deps, harness.call(pass, 'phone'));
  await work();
  expect(harness.pushed).toHaveLength(2);
});

test('what changed between fetching a card and adding it comes to the phone, and nothing where nothing did', async () => {
  const pass = await installed();
  const call = harness.call(pass, 'phone');
  await getLatestApplePass(harness.deps, call);
  await harness.changePoints(pass, 5);
  await work();
  harness.clock.advanceMs(10 * SECOND);
  await registerAppleDevice(harness.deps, call);
  await work();
  expect(harness.pushed).toEqual(['token of phone']);
  const other = await installed();
  await getLatestApplePass(harness.deps, harness.call(other, 'other'));
  await registerAppleDevice(harness.deps, harness.call(other, 'other'));
  harness.clock.advanceMs(10 * SECOND);
  await work();
  expect(harness.pushed).toEqual(['token of phone']);
});

test('a device hears of what changed since it fetched the card, though somebody else fetched the newer one before it was added', async () => {
  const pass = await installed();
  const call = harness.call(pass, 'phone');
  await getLatestApplePass(harness.deps, call);
  await harness.changePoints(pass, 5);
  await getLatestApplePass(harness.deps, harness.call(pass, 'another'));
  await work();
  harness.clock.advanceMs(10 * SECOND);
  await registerAppleDevice(harness.deps, call);
  await work();
  expect(harness.pushed).toEqual(['token of phone']);
});

test('a second device hears of what changed since it fetched the card, though the first one had heard', async () => {
  const pass = await installed('phone');
  await getLatestApplePass(harness.deps, harness.call(pass, 'watch'));
  await harness.changePoints(pass, 5);
  await work();
  harness.clock.advanceMs(10 * SECOND);
  await registerAppleDevice(harness.deps, harness.call(pass, 'watch'));
  await work();
  expect(harness.pushed).toEqual(['token of phone', 'token of watch']);
});

test('a phone that fetched a pass before it was pushed hears of it when it shows again what it showed before', async () => {
  const pass = await installed('phone');
  await harness.changePoints(pass, 5);
  await work();
  harness.clock.advanceMs(10 * SECOND);
  await harness.changePoints(pass, 2);
  await getLatestApplePass(harness.deps, harness.call(pass, 'phone'));
  await harness.changePoints(pass, 5);
  await work();
  expect(harness.pushed).toHaveLength(2);
});

test('a device that is gone is forgotten and not pushed to again', async () => {
  const pass = await installed('phone', 'sold');
  harness.apple = async (token) => (token === 'token of sold' ? 'gone' : 'sent');
  await harness.changePoints(pass, 5);
  await work();
  harness.clock.advanceMs(10 * SECOND);
  await harness.changePoints(pass, 6);
  await work();
  expect(harness.pushed.filter((token) => token === 'token of sold')).toHaveLength(1);
  const told = await harness.events('passes.device_unregistered');
  expect(told.map(({ data }) => data)).toEqual([
    expect.objectContaining({ pass_id: pass.id, device_count: 1 }),
  ]);
});

test('a phone that has another push token since stays, and gets its push by that one', async () => {
  const pass = await installed('phone');
  harness.apple = async (token) => {
    if (token !== 'token of phone') return 'sent';
    const renewed = { ...harness.call(pass, 'phone'), push_token: 'newer token' };
    await registerAppleDevice(harness.deps, renewed);
    return 'gone';
  };
  await harness.changePoints(pass, 5);
  await work();
  expect(await harness.events('passes.device_unregistered')).toEqual([]);
  harness.clock.advanceMs(10 * SECOND);
  await work();
  expect(harness.pushed).toEqual(['token of phone', 'newer token']);
});

test('Apple being away loses nothing: phones that were pushed to are not again, the others are', async () => {
  const pass = await installed('phone', 'watch');
  harness.apple = async (token) => {
    if (token === 'token of watch') throw new PushFailure('Apple is away');
    return 'sent';
  };
  await harness.changePoints(pass, 5);
  await work();
  await work();
  expect(harness.pushed).toEqual(['token of phone']);
  harness.apple = async () => 'sent';
  harness.clock.advanceMs(6 * SECOND);
  await work();
  expect(harness.pushed).toEqual(['token of phone', 'token of watch']);
});

test('when what passes are drawn from was away for long, pushes go out seconds after it is back', async () => {
  const pass = await installed('phone');
  await harness.changePoints(pass, 5);
  const away = () => Promise.reject(platform.serviceUnavailable());
  const without = { ...harness.deps, ledger: { ...harness.deps.ledger, ListBalances: away } };
  for (let minutes = 0; minutes < 10; minutes += 1) {
    await work(without);
    harness.clock.advanceMs(60 * SECOND);
  }
  await work(without);
  expect(harness.pushed).toEqual([]);
  harness.clock.advanceMs(6 * SECOND);
  await work();
  expect(harness.pushed).toEqual(['token of phone']);
});

test('the same text again wakes the phones again', async () => {
  const pass = await installed('phone');
  for (let sent = 1; sent <= 3; sent += 1) {
    await harness.notify(pass, 'Two for one');
    await work();
    expect(harness.pushed).toHaveLength(sent);
    harness.clock.advanceMs(6 * SECOND);
  }
});

test('a replica that dies with an update lets another do it', async () => {
  const pass = await installed('phone');
  await harness.changePoints(pass, 5);
  const { passUpdates } = harness.deps;
  const claim = { now: harness.clock.now(), leaseMs: 30 * SECOND };
  expect(await passUpdates.due.claim(ROOM_FOR_ONE, claim)).toHaveLength(1);
  await work();
  expect(harness.pushed).toEqual([]);
  harness.clock.advanceMs(31 * SECOND);
  await work();
  expect(harness.pushed).toHaveLength(1);
});

test('a workspace whose certificate Apple refuses holds up its own pushes only', async () => {
  for (let count = 0; count < 40; count += 1)
    await harness.changePoints(await installed('refused'), 5);
  const [other, healthy] = [await harness.inNewWorkspace(), 'healthy'];
  const pass = await other.newPass(await other.newTemplate());
  await registerAppleDevice(other.deps, other.call(pass, healthy));
  await other.changePoints(pass, 5);
  let hangUp: () => void = () => undefined;
  const hung = new Promise<void>((resolve) => {
    hangUp = resolve;
  });
  let refused = 0;
  harness.apple = async (token) => {
    if (token === 'token of healthy') return 'sent';
    refused += 1;
    await hung;
    throw new PushFailure('Apple answered 403', 403);
  };
  const working = pushDue(harness.deps);
  await until(() => harness.pushed.includes('token of healthy'));
  expect(refused).toBeLessThanOrEqual(4);
  hangUp();
  await working;
  // The others learnt from the first few: they are neither sent nor, when tried again, drawn.
  expect(refused).toBeLessThan(12);
});

test('when a certificate works again every push that waited for it goes out', async () => {
  const passes = await Promise.all(Array.from({ length: 8 }, () => installed('phone')));
  for (const pass of passes) await harness.changePoints(pass, 5);
  harness.apple = async () => {
    throw new PushFailure('Apple answered 403', 403);
  };
  await work();
  expect(harness.pushed).toEqual([]);
  harness.apple = async () => 'sent';
  for (let minute = 0; minute < 30; minute += 1) {
    harness.clock.advanceMs(60 * SECOND);
    await work();
  }
  expect(harness.pushed).toHaveLength(8);
});

test('a push that failed for long goes out at once when somebody asks for it again', async () => {
  const pass = await installed('phone');
  await harness.changePoints(pass, 5);
  harness.apple = async () => {
    throw new PushFailure('Apple answered 400', 400);
  };
  for (let minute = 0; minute < 30; minute += 1) {
    await work();
    harness.clock.advanceMs(60 * SECOND);
  }
  harness.apple = async () => 'sent';
  await work();
  expect(harness.pushed).toEqual([]);
  await retryPush(harness.deps, { workspace_id: harness.workspaceId, id: pass.id });
  harness.clock.advanceMs(5 * SECOND);
  await work();
  expect(harness.pushed).toEqual(['token of phone']);
});

test('a thousand pushes that wait for another try stop no walk over a template', async () => {
  const template = await harness.newTemplate();
  const pass = await harness.newPass(template);
  await harness.changePoints(pass, 5);
  await work();
  const waiting = { workspace_id: harness.workspaceId, pending: true, asked: 1, tried: 1 };
  const later = new Date(harness.clock.now().getTime() + 60 * SECOND);
  const rows = harness.store.connection.collection<{ _id: string; pending?: boolean }>(
    'pass_updates',
  );
  await rows.insertMany(
    Array.from({ length: 1_000 }, () => ({
      ...waiting,
      _id: newId(),
      not_before: later,
      changed_at: later,
    })),
  );
  await harness.deps.templateRefreshes.ask(harness.workspaceId, template.id);
  harness.clock.advanceMs(10 * SECOND);
  await workOff(templateRefreshWorker(harness.deps));
  expect((await rows.findOne({ _id: pass.id }))?.pending).toBe(true);
});

test('a walk waits for the due pushes of its own workspace, not for those of others', async () => {
  const template = await harness.newTemplate();
  const pass = await harness.newPass(template);
  const rows = harness.store.connection.collection<{ _id: string; pending?: boolean }>(
    'pass_updates',
  );
  const fill = async (workspaceId: string) =>
    rows.insertMany(
      Array.from({ length: 1_000 }, () => ({
        _id: newId(),
        workspace_id: workspaceId,
        pending: true,
        asked: 1,
        not_before: harness.clock.now(),
        changed_at: harness.clock.now(),
      })),
    );
  const walk = async () => {
    await workOff(templateRefreshWorker(harness.deps));
    return (await rows.findOne({ _id: pass.id }))?.pending === true;
  };
  await fill(harness.workspaceId);
  await harness.deps.templateRefreshes.ask(harness.workspaceId, template.id);
  expect(await walk()).toBe(false);
  await rows.deleteMany({ workspace_id: harness.workspaceId, _id: { $ne: pass.id } });
  await fill(newId());
  harness.clock.advanceMs(2 * SECOND);
  expect(await walk()).toBe(true);
});

test('without credentials no phone is pushed to, yet one that asks finds the change', async () => {
  await harness.deps.credentialsStore.remove(harness.workspaceId, 'apple');
  const pass = await harness.newPass(await harness.newTemplate());
  const call = { ...harness.call(pass, 'phone'), pass_type: 'pass.local.laurel' };
  await registerAppleDevice(harness.deps, call);
  const known = await getLatestApplePass(harness.deps, call);
  await harness.changePoints(pass, 5);
  await work();
  expect(harness.pushed).toEqual([]);
  expect(await outcomeOf(pass)).toMatchObject({ status: 'sent', error: null });
  const again = { ...call, if_modified_since: known.last_modified };
  expect((await getLatestApplePass(harness.deps, again)).content).toBeInstanceOf(Buffer);
});

/** Of which no push was tried since; it went out, or not. */
const outcomeOf = async (pass: Pass) => {
  const push = await harness.deps.pushes.find(harness.workspaceId, pass.id);
  return { status: push?.status, error: push?.error, next: push?.nextAttemptAt };
};
const UNTOLD = { status: 'failed', error: expect.stringContaining('once'), next: null };
/** Asks for pushes of all passes that a walk is asked for, and sends them. */
const walkAndWork = async (deps = harness.deps) => {
  harness.clock.advanceMs(10 * SECOND);
  await workOff(templateRefreshWorker(deps));
  await work(deps);
};

test('what changed while no certificate was good is not called sent, and comes to the phones with the next good one', async () => {
  const pass = await installed('phone');
  await work();
  harness.pushed.splice(0);
  harness.clock.advanceMs(21 * 366 * 86_400 * SECOND);
  await harness.changePoints(pass, 5);
  await work();
  expect(harness.pushed).toEqual([]);
  expect(await outcomeOf(pass)).toEqual(UNTOLD);
  await putCertificate(PASS_TYPE);
  await walkAndWork();
  expect(harness.pushed).toEqual(['token of phone']);
  expect(await outcomeOf(pass)).toMatchObject({ status: 'sent', error: null });
});

/** A certificate that was made now becomes the workspace's own. */
const putCertificate = async (passType: string): Promise<void> => {
  const named = { passType, team: LOCAL_TEAM_IDENTIFIER };
  const { certificate, key, issuer } = await makeLocalApple(harness.clock.now(), named);
  await putAppleCredentials(harness.deps, {
    workspace_id: harness.workspaceId,
    pass_type_identifier: passType,
    team_identifier: named.team,
    ...{ certificate, key, wwdr_certificate: issuer },
  });
};

const settingsFor = async (passType: string): Promise<DeploymentSettings> => {
  const named = { passType, team: 'ABCDE12345' };
  const { certificate, key, issuer } = await makeLocalApple(harness.clock.now(), named);
  return {
    applePassTypeIdentifier: passType,
    appleTeamIdentifier: named.team,
    ...{ applePassCertificate: certificate, applePassKey: key, appleWwdrCertificate: issuer },
  };
};

/** Deps under a certificate of the deployment that was made now; `wrong` in place of settings that belong to it. */
const ofDeployment = async (wrong: DeploymentSettings = {}): Promise<typeof harness.deps> => {
  const { credentialsStore: store } = harness.deps;
  await store.remove(harness.workspaceId, 'apple');
  const settings = await settingsFor(PASS_TYPE);
  const made = (given: DeploymentSettings) => ({
    ...harness.deps,
    credentials: createCredentials({ store, settings: given, clock: harness.clock }),
  });
  wrongly = made({ ...settings, ...wrong });
  return made(settings);
};
/** The same certificate as that which was made last, with what was given in place of its own. */
let wrongly: typeof harness.deps;
const waitingThenWork = async (deps: typeof harness.deps): Promise<void> => {
  await pushWaiting(deps);
  harness.clock.advanceMs(10 * SECOND);
  await work(deps);
};
const CERTIFICATE_ENDS_MS = 21 * 366 * 86_400 * SECOND;
/** As `putCertificate`, and nothing walks over the passes for it. */
const renewCertificate = async (): Promise<void> => {
  const given = await makeLocalApple(harness.clock.now(), { passType: PASS_TYPE });
  const { credentialsStore } = harness.deps;
  const own = { wallet: 'apple' as const, given };
  await credentialsStore.put(harness.workspaceId, own, harness.clock.now());
};

test('what changed while the certificate of the deployment had ended comes to the phones with another one, once', async () => {
  const before = await ofDeployment();
  const pass = await installedOn(['phone'], before);
  await waitingThenWork(before);
  harness.pushed.splice(0);
  harness.clock.advanceMs(CERTIFICATE_ENDS_MS);
  await harness.changePoints(pass, 5);
  await work(before);
  expect(await outcomeOf(pass)).toEqual(UNTOLD);
  await waitingThenWork(before);
  expect(await outcomeOf(pass)).toEqual(UNTOLD);
  const after = await ofDeployment();
  await pushWaiting(after);
  // A replica of before is still at work while the next ones are rolled out.
  harness.clock.advanceMs(10 * SECOND);
  await work(before);
  expect(harness.pushed).toEqual([]);
  expect(await outcomeOf(pass)).toEqual(UNTOLD);
  await waitingThenWork(after);
  expect(harness.pushed).toEqual(['token of phone']);
  expect(await outcomeOf(pass)).toMatchObject({ status: 'sent', error: null });
  await waitingThenWork(after);
  expect(harness.pushed).toEqual(['token of phone']);
});

const OTHER_PASS_TYPE = 'pass.com.example.other';

test.each<[string, () => Promise<DeploymentSettings>]>([
  ['a wrong team', async () => ({ appleTeamIdentifier: 'ZZZZZ12345' })],
  [
    'the key of another one',
    async () => ({ applePassKey: (await settingsFor(PASS_TYPE)).applePassKey! }),
  ],
  ['nothing that issued it', async () => ({ appleWwdrCertificate: 'cut off' })],
  ['one of another pass type', () => settingsFor(OTHER_PASS_TYPE)],
])(
  'what changed while the certificate stood beside %s, or was that, is not called sent, and comes to the phones once that is mended',
  async (_name, wrong) => {
    const good = await ofDeployment(await wrong());
    const [pass, deleted] = [
      await installedOn(['phone'], good),
      await installedOn(['other phone'], good),
    ];
    await waitingThenWork(good);
    harness.pushed.splice(0);
    await harness.changePoints(pass, 5);
    await deletePass(good, { workspace_id: harness.workspaceId, id: deleted.id });
    harness.clock.advanceMs(10 * SECOND);
    await work(wrongly);
    const failed = { status: 'failed', error: expect.stringMatching(/once|again/), next: null };
    for (const each of [pass, deleted]) expect(await outcomeOf(each)).toEqual(failed);
    await waitingThenWork(wrongly);
    expect(harness.pushed).toEqual([]);
    await waitingThenWork(good);
    expect(harness.pushed.sort()).toEqual(['token of other phone', 'token of phone']);
    expect(await outcomeOf(pass)).toMatchObject({ status: 'sent', error: null });
  },
);

test('the phone of a pass that was deleted while its workspace had no certificate at all hears so with the next one', async () => {
  const pass = await installed('phone');
  await work();
  harness.pushed.splice(0);
  const { workspaceId: workspace_id } = harness;
  await deleteWalletCredentials(harness.deps, { workspace_id, wallet: 'apple' });
  await deletePass(harness.deps, { workspace_id, id: pass.id });
  harness.clock.advanceMs(10 * SECOND);
  await work();
  expect(await outcomeOf(pass)).toEqual(UNTOLD);
  await putCertificate(PASS_TYPE);
  await waitingThenWork(harness.deps);
  expect(harness.pushed).toEqual(['token of phone']);
});

test('of phones with cards of two pass types each hears with the certificate for its own', async () => {
  const pass = await installed('former');
  await work();
  await putCertificate(OTHER_PASS_TYPE);
  const call = { ...harness.call(pass, 'newer'), pass_type: OTHER_PASS_TYPE };
  await registerAppleDevice(harness.deps, call);
  harness.pushed.splice(0);
  harness.clock.advanceMs(10 * SECOND);
  await harness.changePoints(pass, 5);
  await work();
  expect(harness.pushed).toEqual(['token of newer']);
  expect(await outcomeOf(pass)).toMatchObject({ status: 'failed' });
  await putCertificate(PASS_TYPE);
  await waitingThenWork(harness.deps);
  expect(harness.pushed.slice(1)).toEqual(['token of former']);
});

const updateRows = () => harness.store.connection.collection<PassUpdateDocument>('pass_updates');

test('what waits for a certificate is asked for in each workspace that has it, so much at once that new changes have not long to wait', async () => {
  const now = harness.clock.now();
  const rowOf = (workspace_id: string): PassUpdateDocument => ({
    _id: newId(),
    ...{ workspace_id, asked: 1, not_before: now, changed_at: now },
  });
  const waitingOf = (workspaceId: string): PassUpdateDocument => ({
    ...rowOf(workspaceId),
    waits_for: [`apple:${PASS_TYPE}`],
  });
  const { workspaceId: own } = harness;
  const others = [await harness.inNewWorkspace(), await harness.inNewWorkspace()];
  const withoutOne = newId();
  await updateRows().insertMany([
    ...Array.from({ length: 1_500 }, () => waitingOf(own)),
    ...Array.from({ length: 300 }, () => ({ ...rowOf(own), pending: true as const })),
    ...[...others.map(({ workspaceId }) => workspaceId), withoutOne].map(waitingOf),
  ]);
  const due = (workspace_id: string) =>
    updateRows().countDocuments({ workspace_id, pending: true });
  await pushWaiting(harness.deps);
  await pushWaiting(harness.deps);
  expect(await due(own)).toBe(1_000);
  for (const { workspaceId } of others) expect(await due(workspaceId)).toBe(1);
  expect(await due(withoutOne)).toBe(0);
  await updateRows().deleteMany({ pending: true });
  await pushWaiting(harness.deps);
  expect(await due(own)).toBe(800);
});

test('a certificate that cannot be opened keeps neither the other wallet of its workspace waiting nor another workspace', async () => {
  const waitingOf = async (of: Harness): Promise<string> => {
    const { id } = await of.newPass(await of.newTemplate());
    const waits_for = [`apple:${PASS_TYPE}`, 'google:33'];
    await updateRows().updateOne({ _id: id }, { $set: { waits_for } });
    return id;
  };
  const other = await harness.inNewWorkspace();
  const passIds = [await waitingOf(harness), await waitingOf(other)];
  const rows = harness.store.connection.collection<{ _id: string; sealed?: object }>(
    'wallet_credentials',
  );
  const { sealed } = (await rows.findOne({ _id: `${other.workspaceId}:apple` }))!;
  await rows.updateOne({ _id: `${harness.workspaceId}:apple` }, { $set: { sealed } });
  const account = { issuerId: '33', email: 'laurel@example.com', key: 'a key' };
  const { credentialsStore } = harness.deps;
  const given = { wallet: 'google' as const, given: account };
  await credentialsStore.put(harness.workspaceId, given, harness.clock.now());
  await pushWaiting(harness.deps);
  const pending = await updateRows().find({ pending: true }).toArray();
  expect(pending.map(({ _id }) => _id).sort()).toEqual(passIds.sort());
});

test('Google that is silent keeps no card of Apple waiting, is asked about one account alone, and about none that nothing waits for', async () => {
  const [second, third] = [await harness.inNewWorkspace(), await harness.inNewWorkspace()];
  const now = harness.clock.now();
  const waiting = async (workspace_id: string, name: string): Promise<string> => {
    const _id = newId();
    const row = { _id, workspace_id, asked: 1, not_before: now, changed_at: now };
    await updateRows().insertOne({ ...row, waits_for: [name] });
    return _id;
  };
  for (const { workspaceId } of [harness, second, third]) {
    const given = { issuerId: '33', email: 'laurel@example.com', key: 'a key' };
    await harness.deps.credentialsStore.put(workspaceId, { wallet: 'google', given }, now);
  }
  const passIds = [
    await waiting(harness.workspaceId, 'google:33'),
    await waiting(second.workspaceId, 'google:33'),
    await waiting(third.workspaceId, `apple:${PASS_TYPE}`),
  ];
  const pending = async () =>
    (
      await updateRows()
        .find({ _id: { $in: passIds }, pending: true })
        .toArray()
    ).map(({ _id }) => _id);
  const asked: string[][] = [];
  const googleApi = {
    ...harness.deps.googleApi,
    signIn: async () => {
      asked.push(await pending());
      throw new DOMException('no answer in ten seconds', 'TimeoutError');
    },
  };
  await pushWaiting({ ...harness.deps, googleApi });
  expect(asked).toEqual([[passIds[2]]]);
  expect((await pending()).sort()).toEqual([...passIds].sort());
  await updateRows().deleteMany({ _id: { $in: passIds } });
  const [unsignable, ended] = [
    await waiting(harness.workspaceId, 'google:33'),
    await waiting(second.workspaceId, 'google:33'),
  ];
  const refusals = [
    new Error('the key is no RSA key'),
    new GoogleAccountRefusal(400, 'invalid_grant'),
  ];
  const answering = {
    ...harness.deps.googleApi,
    signIn: async () => {
      throw refusals.shift();
    },
  };
  const firstFirst = harness.workspaceId < second.workspaceId;
  if (!firstFirst) refusals.reverse();
  await pushWaiting({ ...harness.deps, googleApi: answering });
  expect(refusals).toEqual([]);
  const left = await updateRows()
    .find({ _id: { $in: [unsignable, ended] }, pending: true })
    .toArray();
  expect(left.map(({ _id }) => _id)).toEqual([unsignable]);
  await updateRows().deleteMany({ _id: { $in: [unsignable, ended] } });
  await waiting(harness.workspaceId, `apple:${PASS_TYPE}`);
  await pushWaiting({ ...harness.deps, googleApi });
  expect(asked).toHaveLength(1);
});

test('what an earlier version noted to wait for a certificate is asked for as well', async () => {
  const pass = await installed('phone');
  await work();
  await updateRows().updateOne({ _id: pass.id }, { $set: { waits_for: 'apple' as never } });
  await pushWaiting(harness.deps);
  expect(await outcomeOf(pass)).toMatchObject({ status: 'pending' });
});

test('the phone of a pass that was deleted while no certificate was good hears so with the next good one', async () => {
  const before = await ofDeployment();
  const pass = await installedOn(['phone'], before);
  await waitingThenWork(before);
  harness.pushed.splice(0);
  harness.clock.advanceMs(CERTIFICATE_ENDS_MS);
  await deletePass(before, { workspace_id: harness.workspaceId, id: pass.id });
  await work(before);
  expect(await outcomeOf(pass)).toEqual(UNTOLD);
  await waitingThenWork(await ofDeployment());
  expect(harness.pushed).toEqual(['token of phone']);
  const again = await retryPush(harness.deps, { workspace_id: harness.workspaceId, id: pass.id });
  expect(again).toMatchObject({ status: 'pending', notification: null });
  const page = { workspace_id: harness.workspaceId, pass_id: pass.id, limit: 10 };
  expect((await listPushes(harness.deps, page)).pushes).toHaveLength(1);
});

test('a phone whose card is of another pass type is sent nothing, and its push says that the card has to be added again', async () => {
  const pass = await installed('phone');
  await work();
  harness.pushed.splice(0);
  await putCertificate(OTHER_PASS_TYPE);
  await walkAndWork();
  expect(harness.pushed).toEqual([]);
  const untold = { status: 'failed', error: expect.stringContaining('added again'), next: null };
  expect(await outcomeOf(pass)).toEqual(untold);
  await waitingThenWork(harness.deps);
  expect(await outcomeOf(pass)).toEqual(untold);
});

test('a card that is added again under the pass type in use shows what changed since it was fetched, and its push is no failure any more', async () => {
  const pass = await installed('phone');
  await work();
  await putCertificate(OTHER_PASS_TYPE);
  await walkAndWork();
  expect(await outcomeOf(pass)).toMatchObject({ status: 'failed' });
  harness.pushed.splice(0);
  const call = { ...harness.call(pass, 'phone'), pass_type: OTHER_PASS_TYPE };
  expect(await registerAppleDevice(harness.deps, call)).toEqual({ created: false });
  harness.clock.advanceMs(10 * SECOND);
  await work();
  expect(harness.pushed).toEqual(['token of phone']);
  expect(await outcomeOf(pass)).toMatchObject({ status: 'sent', error: null });
  harness.clock.advanceMs(10 * SECOND);
  await registerAppleDevice(harness.deps, call);
  await work();
  expect(harness.pushed).toHaveLength(1);
});

test('a card of the deployment goes on changing, and ends, though its workspace has a certificate of its own since', async () => {
  const deployed = await ofDeployment();
  const pass = await installedOn(['phone'], deployed);
  await waitingThenWork(deployed);
  await putCertificate(OTHER_PASS_TYPE);
  await waitingThenWork(deployed);
  harness.pushed.splice(0);
  const call = harness.call(pass, 'phone');
  const cardOf = async (if_modified_since?: string) =>
    getLatestApplePass(deployed, { ...call, if_modified_since });
  const shown = ({ content }: { content?: Buffer | undefined }) =>
    JSON.parse(Buffer.from(unzipSync(content!)['pass.json']!).toString());
  const before = await cardOf();
  expect(shown(before)).toMatchObject({ passTypeIdentifier: PASS_TYPE });
  expect((await cardOf(before.last_modified)).content).toBeUndefined();
  await harness.changePoints(pass, 5);
  harness.clock.advanceMs(10 * SECOND);
  await work(deployed);
  expect(harness.pushed).toEqual(['token of phone']);
  expect(await outcomeOf(pass)).toMatchObject({ status: 'sent', error: null });
  const after = await cardOf(before.last_modified);
  expect(shown(after)).toMatchObject({ passTypeIdentifier: PASS_TYPE });
  const newer = { ...call, device_id: 'newer', pass_type: OTHER_PASS_TYPE };
  const { content } = await getLatestApplePass(deployed, newer);
  expect(shown({ content })).toMatchObject({ passTypeIdentifier: OTHER_PASS_TYPE });
  expect((await cardOf(after.last_modified)).content).toBeUndefined();
  await deletePass(deployed, { workspace_id: harness.workspaceId, id: pass.id });
  harness.clock.advanceMs(10 * SECOND);
  await work(deployed);
  expect(harness.pushed).toHaveLength(2);
  expect(shown(await cardOf(after.last_modified))).toMatchObject({ voided: true });
});

/** What was measured of a wallet since `forgetMeasured`. */
const measured = async (wallet: Wallet) => {
  const ofWallet = ({ labels }: { labels: { wallet?: string | number } }) =>
    labels.wallet === wallet;
  const delays = (await pushing.delay.get()).values.filter(ofWallet);
  const delay = (part: string) =>
    delays.find(({ metricName }) => metricName === `wallet_push_delay_seconds_${part}`)?.value ?? 0;
  const failed = (await pushing.failed.get()).values.find(ofWallet)?.value ?? 0;
  return { sent: delay('count'), seconds: delay('sum'), failed };
};
const forgetMeasured = (): void => {
  pushing.delay.reset();
  pushing.failed.reset();
};
const UNMEASURED = { sent: 0, seconds: 0, failed: 0 };

describe('what is measured of a wallet', () => {
  beforeEach(forgetMeasured);

  test('is how long its phones waited, and nothing of passes that are on none or show nothing new', async () => {
    const pass = await installed('phone', 'watch');
    const lonely = await installed();
    await harness.changePoints(pass, 5);
    await harness.ask(lonely);
    harness.clock.advanceMs(3 * SECOND);
    await work();
    expect(await measured('apple')).toEqual({ sent: 1, seconds: 3, failed: 0 });
    harness.clock.advanceMs(10 * SECOND);
    await harness.ask(pass);
    await work();
    expect(await measured('apple')).toMatchObject({ sent: 1 });
    expect(await measured('google')).toEqual(UNMEASURED);
  });

  test('is each try that fails while it is away, whatever else is done meanwhile, and no push when it is given up', async () => {
    const [pass, lonely] = [await installed('phone'), await installed()];
    harness.apple = async () => {
      throw new PushFailure('Apple is away');
    };
    await harness.changePoints(pass, 5);
    await harness.ask(lonely);
    await work();
    expect(await measured('apple')).toEqual({ ...UNMEASURED, failed: 1 });
    harness.clock.advanceMs(25 * 3_600 * SECOND);
    await harness.ask(lonely);
    await work();
    expect(await outcomeOf(pass)).toMatchObject({ status: 'failed', next: null });
    expect(await measured('apple')).toEqual({ ...UNMEASURED, failed: 2 });
  });

  test('is a try that failed where no certificate is good, and no push that took no time', async () => {
    const pass = await installed('phone');
    harness.clock.advanceMs(CERTIFICATE_ENDS_MS);
    await harness.changePoints(pass, 5);
    await work();
    expect(await outcomeOf(pass)).toEqual(UNTOLD);
    expect(await measured('apple')).toEqual({ ...UNMEASURED, failed: 1 });
  });

  test('is nothing where it was the platform that was away', async () => {
    const pass = await installed('phone');
    await harness.changePoints(pass, 5);
    const away = () => Promise.reject(platform.serviceUnavailable());
    await work({ ...harness.deps, ledger: { ...harness.deps.ledger, ListBalances: away } });
    expect(await outcomeOf(pass)).toMatchObject({ status: 'pending' });
    expect(await measured('apple')).toEqual(UNMEASURED);
  });
});

describe('at Google', () => {
  const key = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
  const issuer = { issuerId: '33', email: 'laurel@example.com', key };
  let sent: { path: string; body: Record<string, unknown> }[];

  const answering = () => {
    const google = nock(GOOGLE).persist();
    google.post('/token').reply(200, { access_token: 'a-token', expires_in: 3600 });
    const note = (path: string, body: nock.Body) => {
      sent.push({ path, body: body as Record<string, unknown> });
      return { ...(body as object), hasUsers: path.includes('Object') };
    };
    google.put(/.*/).reply(200, note);
    google.post(/addMessage$/).reply(200, note);
  };

  beforeEach(async () => {
    sent = [];
    answering();
    const { workspaceId, clock } = harness;
    const own = { wallet: 'google' as const, given: issuer };
    await harness.deps.credentialsStore.put(workspaceId, own, clock.now());
  });
  afterEach(() => nock.cleanAll());

  /** A message of Google that a test reads itself. */
  const UNREAD = {
    signature: '',
    protocol_version: '',
    signed_message: '',
    signed_key: '',
    key_signatures: [],
  };
  /** What Google was sent of a card. */
  const objectSent = () => sent.find(({ path }) => path.includes('loyaltyObject'))?.body;
  const open = (pass: Pass, deps = harness.deps) => {
    const path = new URL(harness.deps.links.urlsOf(pass).google_pass_url).pathname;
    return getGoogleLink(deps, { pass_id: pass.id, signature: path.split('/')[3]! });
  };

  test('a pass that was deleted while Google was given it is empty there soon after', async () => {
    const pass = await installed();
    const { deps } = harness;
    const put: typeof deps.googleObjects.put = async (object) => {
      await deletePass(deps, { workspace_id: harness.workspaceId, id: pass.id });
      await work();
      await deps.googleObjects.put(object);
    };
    await open(pass, { ...deps, googleObjects: { ...deps.googleObjects, put } });
    harness.clock.advanceMs(10 * SECOND);
    sent = [];
    await work();
    expect(objectSent()).toMatchObject({ id: `33.${pass.id}`, state: 'EXPIRED' });
  });

  test('a pass is brought up to date once somebody asked for its link, and not before', async () => {
    const pass = await installed();
    await harness.changePoints(pass, 5);
    await work();
    expect(sent).toEqual([]);
    const { url } = await open(pass);
    expect(url.length).toBeLessThan(1_800);
    harness.clock.advanceMs(10 * SECOND);
    sent = [];
    await harness.changePoints(pass, 6);
    await work();
    expect(objectSent()).toMatchObject({
      id: `33.${pass.id}`,
      loyaltyPoints: { balance: { string: '6' } },
    });
    expect((await harness.deps.passes.find(harness.workspaceId, pass.id))?.on_google).toBe(true);
  });

  test('that somebody has the card, as Google answers a push, counts no more once they took it off meanwhile', async () => {
    const pass = await installed();
    await open(pass);
    const { deps } = harness;
    const put: typeof deps.googleApi.put = async (...drawn) => {
      const answer = await deps.googleApi.put(...drawn);
      for (const eventType of ['save', 'del'] as const) {
        const expiresAt = new Date(harness.clock.now().getTime() + 60 * SECOND);
        const message = { objectId: `33.${pass.id}`, eventType, expiresAt, digest: newId() };
        const googleCallbacks = { read: async () => message };
        await handleGoogleCallback({ ...deps, googleCallbacks }, UNREAD);
      }
      return answer;
    };
    harness.clock.advanceMs(10 * SECOND);
    await harness.changePoints(pass, 6);
    await work({ ...deps, googleApi: { ...deps.googleApi, put } });
    const { on_google } = (await deps.passes.find(harness.workspaceId, pass.id))!;
    expect(on_google).toBe(false);
  });

  test('what Google takes is measured as its own, and so is what it does not take', async () => {
    const pass = await installed('phone');
    await open(pass);
    harness.clock.advanceMs(10 * SECOND);
    await work();
    forgetMeasured();
    await harness.changePoints(pass, 6);
    harness.clock.advanceMs(10 * SECOND);
    await work();
    const both = { sent: 1, seconds: 10, failed: 0 };
    expect([await measured('google'), await measured('apple')]).toEqual([both, both]);
    forgetMeasured();
    await harness.changePoints(pass, 7);
    harness.clock.advanceMs(10 * SECOND);
    const put = () => Promise.reject(new Error('Google is away'));
    await work({ ...harness.deps, googleApi: { ...harness.deps.googleApi, put } });
    expect(await measured('google')).toEqual({ ...UNMEASURED, failed: 1 });
    expect(await measured('apple')).toEqual(both);
  });

  const balancesSent = () =>
    sent
      .filter(({ path }) => path.includes('loyaltyObject'))
      .map(({ body }) => (body.loyaltyPoints as { balance: { string: string } }).balance.string);

  test('what changes while Google is given a pass for the first time comes to it soon after', async () => {
    const pass = await installed();
    const { deps } = harness;
    const put: typeof deps.googleApi.put = async (...drawn) => {
      await harness.changePoints(pass, 6);
      await work();
      return deps.googleApi.put(...drawn);
    };
    await open(pass, { ...deps, googleApi: { ...deps.googleApi, put } });
    expect(balancesSent()).toEqual(['0']);
    harness.clock.advanceMs(10 * SECOND);
    await work();
    expect(balancesSent()).toEqual(['0', '6']);
  });

  test('what a link gives Google after a push gave it something newer is made right again, whichever is noted last', async () => {
    const pass = await installed();
    await open(pass);
    harness.clock.advanceMs(10 * SECOND);
    await work();
    const { deps } = harness;
    const over = (put: typeof deps.googleApi.put) => ({
      ...deps,
      googleApi: { ...deps.googleApi, put },
    });
    let isLinked: () => void = () => undefined;
    const linked = new Promise<void>((resolve) => {
      isLinked = resolve;
    });
    let pushing: Promise<void> | undefined;
    harness.clock.advanceMs(10 * SECOND);
    await open(
      pass,
      over(async (...drawn) => {
        await harness.changePoints(pass, 6);
        pushing = work(
          over(async (...newer) => {
            const answer = await deps.googleApi.put(...newer);
            await linked;
            return answer;
          }),
        );
        await until(() => balancesSent().at(-1) === '6');
        return deps.googleApi.put(...drawn);
      }),
    );
    isLinked();
    await pushing;
    expect(balancesSent().slice(-2)).toEqual(['6', '0']);
    harness.clock.advanceMs(10 * SECOND);
    await work();
    expect(balancesSent().at(-1)).toBe('6');
  });

  test('what a link gave Google without hearing so, after a push gave it something newer, is made right again', async () => {
    const pass = await installed();
    await open(pass);
    harness.clock.advanceMs(10 * SECOND);
    await work();
    const { deps } = harness;
    const put: typeof deps.googleApi.put = async (...drawn) => {
      await harness.changePoints(pass, 6);
      await work();
      await deps.googleApi.put(...drawn);
      throw new Error('Google did not answer in time');
    };
    harness.clock.advanceMs(10 * SECOND);
    await open(pass, { ...deps, googleApi: { ...deps.googleApi, put } });
    expect(balancesSent().slice(-2)).toEqual(['6', '0']);
    harness.clock.advanceMs(10 * SECOND);
    await work();
    expect(balancesSent().at(-1)).toBe('6');
  });

  test('a text that waits for its push is shown, though somebody follows the link of the pass before', async () => {
    const pass = await installed();
    await open(pass);
    harness.clock.advanceMs(10 * SECOND);
    await work();
    await harness.notify(pass, 'Two for one');
    await open(pass);
    harness.clock.advanceMs(10 * SECOND);
    await work();
    expect(sent.filter(({ path }) => path.endsWith('addMessage'))).toHaveLength(1);
  });

  test('a pass that Google did not take when its link was followed is given to it later, and kept up to date', async () => {
    const pass = await installed();
    const { deps } = harness;
    const put = () => Promise.reject(new Error('Google is away'));
    const { url } = await open(pass, { ...deps, googleApi: { ...deps.googleApi, put } });
    const claims = decode(url.split('/').at(-1)!, { json: true });
    expect(claims?.payload).toHaveProperty('loyaltyClasses');
    await harness.changePoints(pass, 6);
    await work();
    expect(objectSent()).toMatchObject({
      id: `33.${pass.id}`,
      loyaltyPoints: { balance: { string: '6' } },
    });
  });

  test('a link that is followed again while Google refuses the pass makes its push no younger', async () => {
    const pass = await installed();
    const { deps, workspaceId } = harness;
    const put = () => Promise.reject(new Error('Google is away'));
    const refused = { ...deps, googleApi: { ...deps.googleApi, put } };
    await open(pass, refused);
    const { askedAt } = (await deps.pushes.find(workspaceId, pass.id))!;
    harness.clock.advanceMs(3_600 * SECOND);
    await open(pass, refused);
    expect(await deps.pushes.find(workspaceId, pass.id)).toMatchObject({
      status: 'pending',
      askedAt,
    });
  });

  test('what changed while there was no service account is not called sent, and comes to Google with the next one', async () => {
    const pass = await installed();
    await open(pass);
    await walkAndWork();
    const { workspaceId: workspace_id } = harness;
    await harness.deps.credentialsStore.remove(workspace_id, 'google');
    sent = [];
    await harness.changePoints(pass, 6);
    harness.clock.advanceMs(10 * SECOND);
    await work();
    expect(sent).toEqual([]);
    expect(await outcomeOf(pass)).toEqual(UNTOLD);
    const service_account = { client_email: issuer.email, private_key: key };
    await putGoogleCredentials(harness.deps, { workspace_id, issuer_id: '33', service_account });
    await walkAndWork();
    expect(objectSent()).toMatchObject({ loyaltyPoints: { balance: { string: '6' } } });
    expect(await outcomeOf(pass)).toMatchObject({ status: 'sent', error: null });
  });

  const putAccount = (issuerId: string) => {
    const given = { ...issuer, issuerId };
    const now = harness.clock.now();
    return harness.deps.credentialsStore.put(harness.workspaceId, { wallet: 'google', given }, now);
  };

  test('what changed on a card of an issuer whose account is gone is not called sent, and comes to it once that is back', async () => {
    const pass = await installed();
    await open(pass);
    await walkAndWork();
    await putAccount('44');
    sent = [];
    harness.clock.advanceMs(10 * SECOND);
    await harness.changePoints(pass, 6);
    await work();
    expect(sent).toEqual([]);
    const error = expect.stringContaining('issuer 33');
    expect(await outcomeOf(pass)).toEqual({ status: 'failed', error, next: null });
    await waitingThenWork(harness.deps);
    expect(sent).toEqual([]);
    await putAccount('33');
    await waitingThenWork(harness.deps);
    expect(objectSent()).toMatchObject({ id: `33.${pass.id}` });
    expect(balancesSent()).toEqual(['6']);
    expect(await outcomeOf(pass)).toMatchObject({ status: 'sent', error: null });
  });

  test('what changed on cards whose account Google has ended is asked for once, waits, and comes with an account that Google takes', async () => {
    const passes = [await installed(), await installed()];
    for (const pass of passes) await open(pass);
    await walkAndWork();
    sent = [];
    nock.cleanAll();
    const asked = nock(GOOGLE).post('/token').reply(400, { error: 'invalid_grant' });
    const googleApi = createGoogleApi({ baseUrl: GOOGLE, tokenUrl: `${GOOGLE}/token` });
    const ended = { ...harness.deps, googleApi };
    for (const pass of passes) {
      await harness.changePoints(pass, 6);
      harness.clock.advanceMs(10 * SECOND);
      await work(ended);
    }
    const error = expect.stringContaining('refuses the service account of issuer 33');
    const untold = { status: 'failed', error, next: null };
    await waitingThenWork(ended);
    for (const pass of passes) expect(await outcomeOf(pass)).toEqual(untold);
    expect(asked.isDone()).toBe(true);
    answering();
    await waitingThenWork(harness.deps);
    expect(balancesSent()).toEqual(['6', '6']);
    for (const pass of passes)
      expect(await outcomeOf(pass)).toMatchObject({ status: 'sent', error: null });
  });

  test('a card that is saved anew once its issuer has no account any more is kept up to date by the one there is', async () => {
    const pass = await installed();
    await open(pass);
    await walkAndWork();
    await putAccount('44');
    await open(pass);
    harness.clock.advanceMs(10 * SECOND);
    sent = [];
    await harness.changePoints(pass, 6);
    await work();
    expect(objectSent()).toMatchObject({ id: `44.${pass.id}` });
    expect(await outcomeOf(pass)).toMatchObject({ status: 'sent', error: null });
  });

  test('a card that is saved stays with its issuer though its link is followed while Google refuses the account in use', async () => {
    const pass = await installed();
    await open(pass);
    await walkAndWork();
    await putAccount('45');
    const { deps } = harness;
    const put = () => Promise.reject(new GoogleRefusal(403, 'not of this account'));
    await open(pass, { ...deps, googleApi: { ...deps.googleApi, put } });
    await putAccount('33');
    sent = [];
    harness.clock.advanceMs(10 * SECOND);
    await harness.changePoints(pass, 6);
    await work();
    expect(objectSent()).toMatchObject({ id: `33.${pass.id}` });
    expect(await outcomeOf(pass)).toMatchObject({ status: 'sent', error: null });
  });

  test('a card of the deployment goes on changing, and ends, though its workspace has an account of its own since', async () => {
    const { workspaceId } = harness;
    const { credentialsStore: store } = harness.deps;
    await store.remove(workspaceId, 'google');
    const googleServiceAccount = JSON.stringify({ client_email: issuer.email, private_key: key });
    const settings = { googleIssuerId: '33', googleServiceAccount };
    const deployed = {
      ...harness.deps,
      credentials: createCredentials({ store, settings, clock: harness.clock }),
    };
    const pass = await installed();
    await open(pass, deployed);
    await walkAndWork(deployed);
    await putAccount('44');
    sent = [];
    harness.clock.advanceMs(10 * SECOND);
    await harness.changePoints(pass, 6);
    await open(pass, deployed);
    await work(deployed);
    const newer = await installed();
    await open(newer, deployed);
    const named = sent.filter(({ path }) => path.includes('Object/')).map(({ body }) => body.id);
    expect(new Set(named)).toEqual(new Set([`33.${pass.id}`, `44.${newer.id}`]));
    sent = [];
    await deletePass(deployed, { workspace_id: workspaceId, id: pass.id });
    harness.clock.advanceMs(10 * SECOND);
    await work(deployed);
    const ended = sent.find(({ body }) => body.id === `33.${pass.id}`);
    expect(ended?.body).toMatchObject({ state: 'EXPIRED' });
  });

  test('a phone hears with the next certificate of what changed while there was no account for Google either, and Google with the next account', async () => {
    const pass = await installed('phone');
    await open(pass);
    await walkAndWork();
    const { workspaceId } = harness;
    const { credentialsStore } = harness.deps;
    await credentialsStore.remove(workspaceId, 'google');
    harness.clock.advanceMs(CERTIFICATE_ENDS_MS);
    await harness.changePoints(pass, 6);
    await work();
    harness.pushed.splice(0);
    sent = [];
    await renewCertificate();
    await waitingThenWork(harness.deps);
    expect([harness.pushed, sent]).toEqual([['token of phone'], []]);
    expect(await outcomeOf(pass)).toEqual(UNTOLD);
    const account = { wallet: 'google' as const, given: issuer };
    await credentialsStore.put(workspaceId, account, harness.clock.now());
    await waitingThenWork(harness.deps);
    expect(balancesSent()).toEqual(['6']);
    expect(harness.pushed).toEqual(['token of phone']);
    expect(await outcomeOf(pass)).toMatchObject({ status: 'sent', error: null });
  });

  test('a phone hears with the next certificate of what changed, though Google took nothing of the pass until it was given up', async () => {
    const pass = await installed('phone');
    await open(pass);
    await walkAndWork();
    const put = () => Promise.reject(new Error('Google takes nothing of it'));
    const refused = {
      ...harness.deps,
      googleApi: { ...harness.deps.googleApi, put },
    };
    harness.clock.advanceMs(CERTIFICATE_ENDS_MS);
    await harness.changePoints(pass, 6);
    for (let hours = 0; hours < 27; hours += 1) {
      await work(refused);
      harness.clock.advanceMs(3_600 * SECOND);
    }
    expect(await outcomeOf(pass)).toMatchObject({ status: 'failed', next: null });
    harness.pushed.splice(0);
    await renewCertificate();
    await waitingThenWork(refused);
    expect(harness.pushed).toEqual(['token of phone']);
  });

  test('what a replica sends when its claim has ended, after another sent something newer, is made right again', async () => {
    const pass = await installed();
    await open(pass);
    harness.clock.advanceMs(10 * SECOND);
    await harness.changePoints(pass, 5);
    const { deps } = harness;
    let isFrozen = true;
    const put: typeof deps.googleApi.put = async (...drawn) => {
      if (isFrozen) {
        isFrozen = false;
        harness.clock.advanceMs(60 * SECOND);
        await harness.changePoints(pass, 6);
        await work();
      }
      return deps.googleApi.put(...drawn);
    };
    await work({ ...deps, googleApi: { ...deps.googleApi, put } });
    harness.clock.advanceMs(10 * SECOND);
    await work();
    expect(balancesSent().slice(-3)).toEqual(['6', '5', '6']);
  });

  test('a notification is shown once each time it is sent', async () => {
    const pass = await installed();
    await open(pass);
    await harness.notify(pass, 'Two for one');
    await work();
    harness.clock.advanceMs(10 * SECOND);
    await harness.ask(pass);
    await work();
    const shown = sent.filter(({ path }) => path.endsWith('addMessage'));
    expect(shown.map(({ body }) => body.message)).toEqual([
      expect.objectContaining({ body: 'Two for one', messageType: 'TEXT_AND_NOTIFY' }),
    ]);
    await harness.notify(pass, 'Two for one');
    harness.clock.advanceMs(10 * SECOND);
    await work();
    const again = sent.filter(({ path }) => path.endsWith('addMessage'));
    const ids = again.map(({ body }) => (body.message as { id: string }).id);
    expect([again.length, new Set(ids).size]).toEqual([2, 2]);
  });

  test('the object that others held before the address of the pass was proven ends, and the next one is another', async () => {
    const pass = await installed();
    await open(pass);
    await harness.changePoints(pass, 5);
    await work();
    const rows = harness.store.connection.collection<{ _id: string }>('passes');
    await rows.updateOne({ _id: pass.id }, { $set: { link_generation: 1 } });
    const renewed = (await harness.deps.passes.find(harness.workspaceId, pass.id))!;
    sent = [];
    harness.clock.advanceMs(10 * SECOND);
    await harness.changePoints(pass, 6);
    await work();
    const objects = sent.filter(({ path }) => path.includes('Object/'));
    expect(objects.map(({ body }) => [body.id, body.state])).toEqual([
      [`33.${pass.id}`, 'EXPIRED'],
      [`33.${pass.id}_1`, 'ACTIVE'],
    ]);
    const [ended, made] = objects.map(({ body }) => JSON.stringify(body));
    expect(ended).not.toMatch(/"6"|barcode|accountName/);
    expect(made).toContain('"6"');
    const { url } = await open(renewed);
    const claims = decode(url.split('/').at(-1)!) as { payload: object };
    expect(JSON.stringify(claims.payload)).toContain(`33.${pass.id}_1`);
  });

  test('a link that is followed before the former object ended carries the pass, and leaves that to be ended', async () => {
    const pass = await installed();
    await open(pass);
    await work();
    const rows = harness.store.connection.collection<{ _id: string }>('passes');
    await rows.updateOne({ _id: pass.id }, { $set: { link_generation: 1 } });
    sent = [];
    const { url } = await open((await harness.deps.passes.find(harness.workspaceId, pass.id))!);
    expect(sent).toEqual([]);
    const claims = decode(url.split('/').at(-1)!, { json: true });
    expect(JSON.stringify(claims)).toContain(`33.${pass.id}_1`);
    harness.clock.advanceMs(10 * SECOND);
    await harness.ask(pass);
    await work();
    const states = sent.filter(({ path }) => path.includes('Object/')).map(({ body }) => body);
    expect(states.map(({ id, state }) => [id, state])).toEqual([
      [`33.${pass.id}`, 'EXPIRED'],
      [`33.${pass.id}_1`, 'ACTIVE'],
    ]);
  });
});
