import { platform } from '@laurel/errors';
import type { Logger } from '@laurel/lifecycle';
import { commitOnce, orStale, type Session } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { WalletDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';
import type { AppleCredentials } from '../../outside/credentials/types';
import { refusals } from '../../refusals';
import type { RegisteredDevice } from '../../store/registrations';
import { countDevice } from './count-device';
import { findPass, type PassOnTemplate } from './find-signed-pass';
import { drawApplePass, drawEndedApplePass } from './get-apple-pass';
import { pushIfEnded } from './push-if-ended';
import { accountFor } from './render';

/** A device has the pass and wants to hear of its changes (PassKit web service). */
export async function registerAppleDevice(
  deps: WalletDeps,
  request: api.AppleRegistrationRequest,
): Promise<api.AppleRegistered> {
  const { pass } = requireCurrent(await authenticated(deps, request));
  const registration = {
    workspaceId: pass.workspace_id,
    deviceId: request.device_id,
    passType: request.pass_type,
    passId: pass.id,
    pushToken: request.push_token,
    linkGeneration: pass.link_generation,
    digest: await fetched(deps, pass),
  };
  const registered = await commitOnce(deps.connection, async (session) => {
    const written = deps.registrations.put(registration, deps.clock.now(), session);
    const outcome = await orStale('the registration', written);
    const created = outcome === 'new device';
    if (created) {
      await requireRoomForDevice(deps, pass, session);
      await countDevice(deps, { pass, wallet: 'apple', by: 1 }, session);
    }
    if (outcome !== 'known') {
      // What changed since the phone fetched the card was pushed to no device.
      const asked = { passIds: [pass.id], now: deps.clock.now() };
      await deps.passUpdates.ask(pass.workspace_id, asked, session);
    }
    return { created };
  });
  await pushIfEnded(deps, pass);
  return registered;
}

/** A person has a few; a card without a client may be given out to many. Who holds one could name any number, each of which is pushed to. */
const DEVICES_MAX = { ofClient: 100, ofNobody: 10_000 };

async function requireRoomForDevice(
  { registrations }: Pick<WalletDeps, 'registrations'>,
  { id, workspace_id: workspaceId, client_id }: Pass,
  session: Session,
): Promise<void> {
  const most = client_id === null ? DEVICES_MAX.ofNobody : DEVICES_MAX.ofClient;
  if ((await registrations.countOf(workspaceId, id, session)) > most)
    throw refusals.tooManyDevices();
}

/**
 * What a device shows that fetched the card of a pass: sure as long as the card has shown one thing only, since another
 * device may have fetched it last. Where it is not sure this one gets a push that it might not need.
 */
async function fetched(
  { contents, registrations }: Pick<WalletDeps, 'contents' | 'registrations'>,
  { id, workspace_id: workspaceId }: Pass,
): Promise<string | null> {
  const known = await registrations.listOfPasses(workspaceId, [id]);
  const isAlone = known.every(({ isEnded }) => isEnded);
  return isAlone ? contents.onlyDigestOf(workspaceId, id) : null;
}

/**
 * The device does not have the card of that pass type any more, whether one is still issued of it or not. Repeatable.
 */
export async function unregisterAppleDevice(
  deps: WalletDeps,
  request: api.ApplePassRequest,
): Promise<Record<string, never>> {
  const { pass } = await holderOf(deps, request);
  const { device_id: deviceId, pass_type: passType } = request;
  await removeRegistration(deps, pass, { deviceId: deviceId!, passId: pass.id, passType });
  return {};
}

/**
 * Which passes of a device changed after the tag that it was given last; the tag is the time of the last change. A
 * change of a template is one of all its passes from the moment of its commit on, however many there are: the walk that
 * draws them anew finds out later which ones show something else, and pushes to their phones.
 */
export async function listChangedApplePasses(
  deps: Pick<WalletDeps, 'passes' | 'registrations' | 'templates'>,
  { device_id, pass_type, since }: api.ChangedApplePassesRequest,
): Promise<api.ChangedApplePasses> {
  const time = since === undefined ? Number.NaN : Number(since);
  const after = Number.isFinite(time) ? time : Number.NEGATIVE_INFINITY;
  const known = await deps.registrations.listOfDevice(device_id, pass_type);
  const redesigned = await changedByTemplate(deps, known);
  await deps.registrations.noteChanges(device_id, redesigned);
  const times = new Map([...known, ...redesigned].map((each) => [each.passId, each.changedAt]));
  const changed = [...times]
    .filter(([, changedAt]) => changedAt.getTime() > after)
    .sort(([, a], [, b]) => a.getTime() - b.getTime());
  return {
    serial_numbers: changed.map(([passId]) => passId),
    last_updated: String(changed.at(-1)?.[1].getTime() ?? 0),
  };
}

type Noted = { passId: string; changedAt: Date };

/** The passes whose template changed after they did. */
async function changedByTemplate(
  { passes, templates }: Pick<WalletDeps, 'passes' | 'templates'>,
  known: readonly Noted[],
): Promise<Noted[]> {
  if (known.length === 0) return [];
  const templateOf = await passes.templatesOf(known.map(({ passId }) => passId));
  const times = await templates.changedAt([...new Set(templateOf.values())]);
  return known.flatMap(({ passId, changedAt: before }) => {
    const changedAt = times.get(templateOf.get(passId) ?? '');
    return changedAt && changedAt > before ? [{ passId, changedAt }] : [];
  });
}

/** The pass as its phone gets it; without content where nothing changed. A card from before the links were made anew becomes an empty, voided one. */
export async function getLatestApplePass(
  deps: WalletDeps,
  request: api.ApplePassRequest,
): Promise<api.ApplePass> {
  const card = await authenticated(deps, request);
  const { issuedBy } = card;
  if (!isCurrent(card)) return drawEndedApplePass(deps, card, card);
  return drawApplePass(deps, card, { issuedBy, ifModifiedSince: request.if_modified_since });
}

/** What iPhones complain about, e.g. a pass that they cannot read. */
export async function logAppleErrors(
  { logger }: Pick<WalletDeps, 'logger'>,
  { messages }: api.AppleErrors,
): Promise<Record<string, never>> {
  const shown = messages.slice(0, LOGGED_MAX).map((message) => message.slice(0, LOGGED_LENGTH_MAX));
  if (shown.length > 0 && hasRoomFor(logger, shown.length))
    logger.warn(
      { device_messages: shown, left_out: messages.length - shown.length },
      'an Apple device complains',
    );
  return {};
}

/**
 * Anybody may send complaints, so the log takes a sample: so many a minute, of which each tells how it begins. Who looks
 * into a fault of passes sees it in any of them.
 */
const LOGGED_MAX = 5;
const LOGGED_LENGTH_MAX = 500;
const LOGGED_PER_MINUTE_MAX = 60;
const logged = new WeakMap<Logger, { minute: number; count: number }>();

function hasRoomFor(logger: Logger, lines: number): boolean {
  const minute = Math.floor(Date.now() / 60_000);
  const kept = logged.get(logger);
  const count = kept?.minute === minute ? kept.count : 0;
  if (count + lines > LOGGED_PER_MINUTE_MAX) return false;
  logged.set(logger, { minute, count: count + lines });
  return true;
}

/** The pass whose token a phone sent. */
interface HeldPass extends PassOnTemplate {
  /** Of the links of the pass, as the card has them. */
  generation: number;
}

/** What the phone has that sent the token of a pass. */
interface CardOnPhone extends HeldPass {
  issuedBy: AppleCredentials;
}

const isCurrent = ({ pass, generation }: HeldPass): boolean => generation === pass.link_generation;

function requireCurrent<Card extends HeldPass>(card: Card): Card {
  if (!isCurrent(card)) throw platform.invalidToken();
  return card;
}

type SentByPhone = Pick<api.ApplePassRequest, 'serial_number' | 'pass_type' | 'token'>;

/** The pass whose token the phone sent, of whatever pass type its card is; anything else is answered alike. */
async function holderOf(
  deps: WalletDeps,
  { serial_number: passId, token }: SentByPhone,
): Promise<HeldPass> {
  const found = await findPass(deps, passId);
  const generation = found && deps.passTokens.generationOf(found.pass, token);
  if (!found || generation === null) throw platform.invalidToken();
  return { ...found, generation };
}

/** The same where its card is of a pass type that there is a certificate for. */
async function authenticated(deps: WalletDeps, request: SentByPhone): Promise<CardOnPhone> {
  const held = await holderOf(deps, request);
  const accounts = await deps.credentials.appleAccounts(held.pass.workspace_id);
  const passType = request.pass_type;
  const issuedBy = accountFor(accounts, { template: held.template, passType });
  if (!issuedBy) throw platform.invalidToken();
  return { ...held, issuedBy };
}

/** Takes a registration away; the call that takes the last one tells that the pass was uninstalled. */
export const removeRegistration = (
  deps: WalletDeps,
  pass: Pass,
  device: RegisteredDevice,
): Promise<void> =>
  uninstalled(deps, pass, (session) =>
    deps.registrations.remove(pass.workspace_id, device, session),
  );

/** The card on a device is that of somebody who has the pass no more: it counts as uninstalled, and becomes the empty card. */
export const endRegistration = (deps: WalletDeps, pass: Pass, deviceId: string): Promise<void> =>
  uninstalled(deps, pass, (session) =>
    deps.registrations.end(pass.workspace_id, { deviceId, passId: pass.id }, session),
  );

/** @param take whether the device had the pass until then */
async function uninstalled(
  deps: WalletDeps,
  pass: Pass,
  take: (session: Session) => Promise<boolean>,
): Promise<void> {
  await commitOnce(deps.connection, async (session) => {
    if (await take(session)) await countDevice(deps, { pass, wallet: 'apple', by: -1 }, session);
    return {};
  });
}
