import { generateKeyPairSync } from 'node:crypto';
import { forgetSandbox, noteSandbox } from '@laurel/lifecycle';
import { until } from '@laurel/testing';
import { unzipSync } from 'fflate';
import type { WalletDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';
import { PushFailure } from '../../outside/apple/push';
import { COALESCE_MS } from '../../store/pass-update-document';
import { Harness, pushDue } from '../../testing/wallet-harness';
import { updatePass } from '../pass/update-pass';
import { getLatestApplePass, registerAppleDevice } from './apple-devices';
import { getGoogleLink } from './get-google-link';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const key = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
}).privateKey;

let harness: Harness;
let deps: WalletDeps;
/** The messages that Google took, by their ids, and whether it takes any. */
let messages: Map<string, string>;
let isGoogleAway: boolean;
/** When phones were pushed to. */
let times: number[];

/** Google, which shows a message of one id once. */
const google = {
  put: async () => ({ hasUsers: false }),
  end: async () => undefined,
  notify: async (_account: unknown, _card: unknown, message: { id: string; body: string }) => {
    if (isGoogleAway) throw new Error('Google is away');
    messages.set(message.id, message.body);
  },
} as unknown as WalletDeps['googleApi'];

beforeEach(async () => {
  harness = await Harness.open();
  const given = { issuerId: '33', email: 'laurel@example.com', key };
  const { credentialsStore } = harness.deps;
  await credentialsStore.put(harness.workspaceId, { wallet: 'google', given }, harness.clock.now());
  deps = { ...harness.deps, googleApi: google };
  [messages, isGoogleAway, times] = [new Map(), false, []];
  harness.apple = async () => {
    times.push(harness.clock.now().getTime());
    return 'sent';
  };
});
afterEach(() => harness.close());

/** What was to be pushed of a new pass is done. */
const atRest = async (pass: Pass): Promise<Pass> => {
  await pushDue(deps);
  harness.clock.advanceMs(MINUTE_MS);
  await pushDue(deps);
  harness.pushed.splice(0);
  times.splice(0);
  return pass;
};
const unsaved = async (): Promise<Pass> => harness.newPass(await harness.newTemplate());
const onPhone = async (): Promise<Pass> => {
  const pass = await unsaved();
  await registerAppleDevice(deps, harness.call(pass, 'phone'));
  return atRest(pass);
};
const atGoogle = async (pass: Pass): Promise<Pass> => {
  const path = new URL(deps.links.urlsOf(pass).google_pass_url).pathname;
  await getGoogleLink(deps, { pass_id: pass.id, signature: path.split('/')[3]! });
  return atRest(pass);
};

const send = async (pass: Pass, ...texts: string[]): Promise<void> => {
  for (const text of texts) await harness.notify(pass, text);
};
/** The line of the card whose change a phone shows, with what cannot be seen in it. */
const shownOn = async (pass: Pass): Promise<string | undefined> => {
  const { content } = await getLatestApplePass(deps, harness.call(pass, 'phone'));
  const { storeCard } = JSON.parse(Buffer.from(unzipSync(content!)['pass.json']!).toString());
  const lines = storeCard.backFields as { key: string; value: string }[];
  return lines.find((line) => line.key === 'notification')?.value;
};
const plain = (text: string | undefined) => text?.replaceAll('\u200b', '');

/** What the phone shows after each push to it, until minutes have gone by. */
async function seenBy(pass: Pass, work = () => pushDue(deps)): Promise<(string | undefined)[]> {
  const seen: (string | undefined)[] = [];
  for (let windows = 0; windows < 30; windows += 1) {
    const before = harness.pushed.length;
    await work();
    if (harness.pushed.length > before) seen.push(await shownOn(pass));
    harness.clock.advanceMs(COALESCE_MS);
  }
  return seen;
}

test('texts within seconds come to phones one after the other, with five seconds between two pushes, and the last one stays', async () => {
  const pass = await onPhone();
  await send(pass, 'A', 'B', 'A');
  const seen = await seenBy(pass);
  expect(seen.map(plain)).toEqual(['A', 'B', 'A']);
  expect(new Set(seen).size).toBe(3);
  expect(await shownOn(pass)).toBe(seen.at(-1));
  const pauses = times.slice(1).map((time, at) => time - times[at]!);
  expect(pauses).toEqual([COALESCE_MS, COALESCE_MS]);
});

test('two texts that are sent together come each time they are sent', async () => {
  const pass = await onPhone();
  await send(pass, 'A', 'B');
  const once = await seenBy(pass);
  await send(pass, 'A', 'B');
  const seen = [...once, ...(await seenBy(pass))];
  expect(seen.map(plain)).toEqual(['A', 'B', 'A', 'B']);
  expect(new Set(seen).size).toBe(4);
});

test('a text waits for nothing where phones have heard the one before', async () => {
  const pass = await onPhone();
  await send(pass, 'A');
  await seenBy(pass);
  harness.pushed.splice(0);
  await send(pass, 'B');
  await pushDue(deps);
  expect(harness.pushed).toHaveLength(1);
  expect(plain(await shownOn(pass))).toBe('B');
});

test('a phone that is slow to fetch its card gets the text that it was pushed to for', async () => {
  const pass = await onPhone();
  await send(pass, 'A', 'B');
  await pushDue(deps);
  await send(pass, 'C');
  harness.clock.advanceMs(COALESCE_MS - 1);
  await pushDue(deps);
  expect(plain(await shownOn(pass))).toBe('A');
  harness.clock.advanceMs(1);
  expect((await seenBy(pass)).map(plain)).toEqual(['B', 'C']);
});

test('a text that comes while one before it is pushed comes after it', async () => {
  const pass = await onPhone();
  await send(pass, 'A');
  harness.apple = async () => {
    if (harness.pushed.length === 0) await send(pass, 'B');
    return 'sent';
  };
  expect((await seenBy(pass)).map(plain)).toEqual(['A', 'B']);
});

test('a replica that dies after it pushed loses no text and shows none twice', async () => {
  const pass = await onPhone();
  await send(pass, 'A', 'B');
  const { passUpdates } = deps;
  const died = () => Promise.reject(new Error('the replica has died'));
  const dying = { ...deps, passUpdates: { ...passUpdates, settle: died } };
  await pushDue(dying).catch(() => undefined);
  await until(() => harness.pushed.length === 1);
  expect(plain(await shownOn(pass))).toBe('A');
  harness.clock.advanceMs(MINUTE_MS);
  expect((await seenBy(pass)).map(plain)).toEqual(['B']);
});

test('many replicas show each text once', async () => {
  const pass = await onPhone();
  const others = await Promise.all([harness.anotherInstance(), harness.anotherInstance()]);
  await send(pass, 'A', 'B', 'C');
  const replicas = [deps, ...others.map((other) => ({ ...other, googleApi: google }))];
  const together = async () => {
    await Promise.all(replicas.map(pushDue));
  };
  expect((await seenBy(pass, together)).map(plain)).toEqual(['A', 'B', 'C']);
});

test('the card of a pass that is on no phone shows the last text soon', async () => {
  const pass = await unsaved();
  await send(pass, 'A', 'B', 'C');
  await seenBy(pass);
  expect(plain(await shownOn(pass))).toBe('C');
});

test('the cards of a sandbox, whose phones hear nothing, show the last text soon', async () => {
  const pass = await onPhone();
  noteSandbox(harness.workspaceId, 0);
  try {
    await send(pass, 'A', 'B', 'C');
    expect(await seenBy(pass)).toEqual([]);
    expect(plain(await shownOn(pass))).toBe('C');
  } finally {
    forgetSandbox(harness.workspaceId);
  }
});

test('what waits goes with a text that is taken away', async () => {
  const pass = await onPhone();
  await send(pass, 'A', 'B');
  const change = { workspace_id: harness.workspaceId, id: pass.id, notification: null };
  await updatePass(deps, change);
  await seenBy(pass);
  expect(await shownOn(pass)).toBeUndefined();
});

test('Google gets each text as a message of its own, once, and no two with one push', async () => {
  const pass = await atGoogle(await unsaved());
  await send(pass, 'A', 'B', 'A');
  await pushDue(deps);
  expect([...messages.values()]).toEqual(['A']);
  await seenBy(pass);
  expect([...messages.values()]).toEqual(['A', 'B', 'A']);
  await send(pass, 'B', 'C');
  await seenBy(pass);
  expect([...messages.values()]).toEqual(['A', 'B', 'A', 'B', 'C']);
});

test('while Apple is away Google gets every text, and phones get each of them once it is back', async () => {
  const pass = await atGoogle(await onPhone());
  harness.apple = async () => {
    throw new PushFailure('Apple is away');
  };
  await send(pass, 'A', 'B', 'C');
  await seenBy(pass);
  expect([...messages.values()]).toEqual(['A', 'B', 'C']);
  expect(harness.pushed).toEqual([]);
  harness.apple = async () => 'sent';
  harness.clock.advanceMs(15 * MINUTE_MS);
  expect((await seenBy(pass)).map(plain)).toEqual(['A', 'B', 'C']);
  expect(messages.size).toBe(3);
});

test('while Google is away phones get every text, and Google gets each of them once it is back', async () => {
  const pass = await atGoogle(await onPhone());
  isGoogleAway = true;
  await send(pass, 'A', 'B', 'C');
  expect((await seenBy(pass)).map(plain)).toEqual(['A', 'B', 'C']);
  expect(messages.size).toBe(0);
  isGoogleAway = false;
  harness.clock.advanceMs(15 * MINUTE_MS);
  expect(await seenBy(pass)).toEqual([]);
  expect([...messages.values()]).toEqual(['A', 'B', 'C']);
});

test('texts that a wallet took for a day are given up, and the last one is what the card shows', async () => {
  const pass = await onPhone();
  harness.apple = async () => {
    throw new PushFailure('Apple is away');
  };
  await send(pass, 'A', 'B', 'C');
  await pushDue(deps);
  harness.clock.advanceMs(DAY_MS + MINUTE_MS);
  await seenBy(pass);
  expect(plain(await shownOn(pass))).toBe('C');
  const { status, nextAttemptAt } = (await deps.pushes.find(harness.workspaceId, pass.id))!;
  expect([status, nextAttemptAt]).toEqual(['failed', null]);
});
