import { createSharedLookups } from '@laurel/lifecycle';
import type { PushDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';
import { shownText } from '../../domain/pass/push-texts';
import type { Template } from '../../domain/template/template';
import { PushFailure } from '../../outside/apple/push';
import { appleCircuit } from '../../outside/circuits';
import type { AppleCredentials, Trusted } from '../../outside/credentials/types';
import type { OwedRegistration } from '../../store/registrations';
import { endRegistration, removeRegistration } from './apple-devices';
import type { PassToPush } from './find-signed-pass';
import { NotTrusted, OtherPassType, type PushedTogether } from './push-failures';
import { accountFor, appleDigest, appleIssue, LOCAL_PASS_TYPE, render } from './render';

/**
 * Tells the devices that show something else than their passes do now. Whom a push is owed is kept with the registration:
 * a repeat after a failure reaches those that were not reached, and no others. Those whose card is from before the links
 * were made anew hear once that it has ended. The passes are of one workspace; what is asked and noted is so for all of them
 * together.
 */
export async function pushApple(
  deps: PushDeps,
  workspaceId: string,
  { passes, pushing }: PushedTogether,
): Promise<void> {
  const { living, ended } = await passesOnDevices(deps, workspaceId, passes);
  if (living.length + ended.length === 0) return;
  for (const { pass } of living) {
    const text = shownText(pass);
    if (text) pushing.texts.set(pass.id, text.count);
  }
  const accounts = await deps.credentials.appleAccounts(workspaceId);
  const digests = await draw(deps, accounts[0]!, { passes: living, pushing });
  const shown = new Map([...ended.map(({ pass }) => [pass.id, ''] as const), ...digests]);
  await pushing.ofAll([...shown.keys()], async () => {
    const now = deps.clock.now();
    await deps.contents.noteAll(workspaceId, digests, now);
    const owed = await deps.registrations.markChanged(workspaceId, shown, now);
    const isToldOf = accounts.some(({ trusted }) => trusted) ? () => true : isKnownToPhones;
    await tell(deps, accounts, { owed: owed.filter(isToldOf), passes, pushing });
  });
}

/** No phone has a card of the pass type that stands in where none is named. */
const isKnownToPhones = ({ passType }: OwedRegistration): boolean => passType !== LOCAL_PASS_TYPE;

/** Those whose card a device has, and those of which devices have earlier cards alone, which end with that. */
async function passesOnDevices(
  deps: PushDeps,
  workspaceId: string,
  passes: readonly PassToPush[],
): Promise<{ living: PassToPush[]; ended: PassToPush[] }> {
  const passIds = passes.map(({ pass }) => pass.id);
  const passOf = new Map(passes.map(({ pass }) => [pass.id, pass]));
  const [living, ended] = [new Set<string>(), new Set<string>()];
  for (const each of await deps.registrations.listOfPasses(workspaceId, passIds)) {
    const pass = passOf.get(each.passId)!;
    const isEarlier = pass.link_generation !== 0 && each.linkGeneration !== pass.link_generation;
    if (isEarlier && !each.isEnded) await endRegistration(deps, pass, each.deviceId);
    (isEarlier || each.isEnded ? ended : living).add(each.passId);
  }
  return {
    living: passes.filter(({ pass: { id } }) => living.has(id)),
    ended: passes.filter(({ pass: { id } }) => ended.has(id) && !living.has(id)),
  };
}

/** What each pass shows now, as a digest. A repeat was drawn and noted by the first try: while nothing can be sent it is not drawn again. */
async function draw(
  deps: PushDeps,
  credentials: AppleCredentials,
  { passes, pushing }: PushedTogether,
): Promise<Map<string, string>> {
  const circuit = appleCircuit(credentials);
  const digests = new Map<string, string>();
  await Promise.all(
    passes.map(({ pass, template, isRepeat }) =>
      pushing.of(pass.id, async () => {
        if (isRepeat) deps.circuits.requireClosed(circuit);
        const view = await render(deps, template, pass);
        const issue = appleIssue(deps, credentials, { template, pass });
        const shown = { view, issue, workspaceId: pass.workspace_id };
        digests.set(pass.id, await appleDigest(deps, shown));
      }),
    ),
  );
  return digests;
}

async function tell(
  deps: PushDeps,
  accounts: readonly Trusted<AppleCredentials>[],
  { owed, passes, pushing }: PushedTogether & { owed: readonly OwedRegistration[] },
): Promise<void> {
  const on = new Map(passes.map((each) => [each.pass.id, each]));
  const note = notingTold(deps, owed);
  await Promise.all(
    owed.map((device) =>
      pushing.of(device.passId, async () => {
        const { pass, template } = on.get(device.passId)!;
        const account = requireAccount(accounts, { template, passType: device.passType });
        const circuit = appleCircuit(account);
        const push = { pushToken: device.pushToken, topic: device.passType };
        const outcome = await deps.windows.through(`${device.workspaceId} ${circuit}`, () =>
          deps.circuits.through(circuit, () => deps.applePush.send(account, push)),
        );
        if (outcome === 'gone') await forgetDevice(deps, pass, device);
        else {
          await note(device);
          pushing.sent.add(device.passId);
        }
      }),
    ),
  );
}

/** The certificate for the card that a phone has: it hears by no other. */
function requireAccount(
  accounts: readonly Trusted<AppleCredentials>[],
  card: { template: Template; passType: string },
): Trusted<AppleCredentials> {
  const account = accountFor(accounts, card);
  if (account?.trusted) return account;
  const isAnyGood = accounts.some(({ trusted }) => trusted);
  if (!account && isAnyGood) throw new OtherPassType(card.passType);
  throw new NotTrusted('apple', card.passType);
}

/** Takes a phone away whose token will never work again; one that has another token since gets its push by that one, later. */
async function forgetDevice(deps: PushDeps, pass: Pass, device: OwedRegistration): Promise<void> {
  await removeRegistration(deps, pass, device);
  if (await deps.registrations.isThere(device.workspaceId, device))
    throw new PushFailure('the phone has another push token since');
}

/** Notes which phones were reached while others still are: one write for all that were reached during the last one. */
function notingTold(
  { registrations }: Pick<PushDeps, 'registrations'>,
  owed: readonly OwedRegistration[],
): (device: OwedRegistration) => Promise<unknown> {
  const nameOf = ({ passId, deviceId }: OwedRegistration) => `${passId} ${deviceId}`;
  const devices = new Map(owed.map((device) => [nameOf(device), device]));
  const note = createSharedLookups<string, true>(async (names) => {
    await registrations.settle(names.map((name) => devices.get(name)!));
    return new Map();
  });
  return (device) => note(nameOf(device));
}
