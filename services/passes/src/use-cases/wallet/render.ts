import { createHash } from 'node:crypto';
import type { Images, PassDeps } from '../../deps';
import type { LinkedPass } from '../../domain/pass/links';
import type { Template } from '../../domain/template/template';
import { type AppleIssue, hasStrip, toApplePass } from '../../domain/wallet/apple-pass';
import { factsNeeded, ownPictures, type PassView, viewPass } from '../../domain/wallet/view';
import { type PackedFile, packFiles } from '../../outside/apple/bundle';
import {
  ICON,
  LOGO,
  pictureFiles,
  STRIP,
  THUMBNAIL,
  TICKET_STRIP,
} from '../../outside/apple/images';
import type { PassTokens } from '../../outside/apple/token';
import type { AppleCredentials, Trusted } from '../../outside/credentials/types';
import type { Pictures } from '../../outside/draw/card';
import { letterIcon } from '../../outside/draw/letter-icon';
import { orLeftOut } from '../file/waits';
import type { Credentials } from './credentials';
import { type DrawnPass, type FactSources, gatherCard } from './gather-card';
import { remembering } from './remembered';

/** What rendering needs; every part of it reads only, but that it is noted whose pictures were drawn. */
export interface RenderDeps extends FactSources {
  drawnPictures: Pick<PassDeps['drawnPictures'], 'note'>;
  images: Images;
  credentials: Credentials;
  passTokens: PassTokens;
  clock: { now(): Date };
}

/** What a pass shows right now. */
export async function render(
  deps: FactSources & Pick<RenderDeps, 'drawnPictures'>,
  template: Template,
  pass: DrawnPass,
): Promise<PassView> {
  const facts = await gatherCard(deps, pass, factsNeeded(template, pass));
  const view = viewPass(template, pass, facts);
  await noteOwnPictures(deps, view, { template, pass });
  return view;
}

/** Before they are fetched and kept: else a picture could be left that nothing leads to from its client. */
export async function noteOwnPictures(
  { drawnPictures }: Pick<RenderDeps, 'drawnPictures'>,
  view: PassView,
  { template, pass }: { template: Template; pass: DrawnPass },
): Promise<void> {
  const { workspace_id: workspaceId, client_id: clientId } = pass;
  if (clientId === null) return;
  for (const source of ownPictures(template, view))
    await drawnPictures.note(workspaceId, { clientId, source });
}

/** Pass type of passes that nothing else names one for. */
export const LOCAL_PASS_TYPE = 'pass.local.laurel';

/** Apple accepts only the pass type that the certificate was issued for. */
export function passTypeOf(credentials: AppleCredentials, template: Template): string {
  return credentials.passTypeIdentifier ?? template.apple_pass_type_identifier ?? LOCAL_PASS_TYPE;
}

/**
 * By which of a workspace's accounts a card of a pass type is changed: a phone takes nothing by another one. Undefined where
 * none is for that pass type.
 */
export function accountFor(
  accounts: readonly Trusted<AppleCredentials>[],
  { template, passType }: { template: Template; passType: string },
): Trusted<AppleCredentials> | undefined {
  const fitting = accounts.filter((account) => passTypeOf(account, template) === passType);
  return fitting.find(({ trusted }) => trusted) ?? fitting[0];
}

export function appleIssue(
  { passTokens, publicUrl }: Pick<RenderDeps, 'passTokens' | 'publicUrl'>,
  credentials: AppleCredentials,
  { template, pass }: { template: Template; pass: LinkedPass },
): AppleIssue {
  return {
    passTypeIdentifier: passTypeOf(credentials, template),
    teamIdentifier: credentials.teamIdentifier,
    serialNumber: pass.id,
    authenticationToken: passTokens.tokenOf(pass),
    webServiceUrl: `${publicUrl}/apple`,
  };
}

/** What a pass shows, and under whose certificate it is issued to Apple. */
interface ShownToApple {
  view: PassView;
  issue: AppleIssue;
  /** Where the card is of a pass type that new ones are not of any more. */
  issuedAs?: AppleIssue;
  workspaceId: string;
}

interface AppleFiles {
  files: PackedFile[];
  /** Changes exactly when one of the files does; the same for cards of all pass types. */
  digest: string;
  /** Not where a picture is left out that too many wait for. */
  isWhole: boolean;
}

/** The files of a .pkpass. */
export async function appleFiles(
  deps: RenderDeps,
  { view, issue, issuedAs = issue, workspaceId }: ShownToApple,
): Promise<AppleFiles> {
  const passJson = Buffer.from(JSON.stringify(toApplePass(view, issuedAs)));
  const { drawn, isWhole } = await pictures(deps, view, workspaceId);
  return {
    files: [...packFiles({ 'pass.json': passJson }), ...drawn],
    digest: digestOf(
      issuedAs === issue ? passJson : JSON.stringify(toApplePass(view, issue)),
      drawn,
    ),
    isWhole,
  };
}

/** The digest of the files of a .pkpass, for callers that do not pack them. */
export async function appleDigest(
  deps: RenderDeps,
  { view, issue, workspaceId }: Omit<ShownToApple, 'issuedAs'>,
): Promise<string> {
  const passJson = JSON.stringify(toApplePass(view, issue));
  return digestOf(passJson, (await pictures(deps, view, workspaceId)).drawn);
}

function digestOf(passJson: string | Buffer, drawn: readonly PackedFile[]): string {
  const digest = createHash('sha256').update(passJson);
  for (const { name, digest: ofPicture } of drawn) digest.update(`\0${name} ${ofPicture}`);
  return digest.digest('base64url');
}

/**
 * Pictures are the same for all passes of a template, as a rule: a hundred thousand of them are drawn once. They are known by
 * the files that they are now, so that an address that was fetched anew shows at once, in every process.
 */
const drawnPictures = remembering<PackedFile[]>({ max: 100, keptMs: 60_000 });

async function pictures(
  deps: RenderDeps,
  view: PassView,
  workspaceId: string,
): Promise<{ drawn: PackedFile[]; isWhole: boolean }> {
  const { backgroundColor, valueColor } = view;
  const { isWhole, ...sources } = await filesOf(deps.images, view, workspaceId);
  const { icon, logo, coverImage } = sources;
  const name = [workspaceId, icon, logo, coverImage, backgroundColor, valueColor, iconName(view)];
  const coverPlace = placeOfCover(view);
  const drawn = await drawnPictures(JSON.stringify([...name, coverPlace]), async () => {
    const named = { ...view, ...sources };
    const loaded = await loadPictures(deps.images, named, workspaceId);
    const parts = await Promise.all([
      pictureFiles(loaded.icon, ICON),
      loaded.logo ? pictureFiles(loaded.logo, LOGO) : {},
      loaded.cover ? pictureFiles(loaded.cover, coverPlace) : {},
    ]);
    return packFiles(Object.assign({}, ...parts));
  });
  return { drawn, isWhole };
}

type PictureSources = Pick<PassView, 'icon' | 'logo' | 'coverImage'>;

/** The files that the pictures of a pass are, in place of where they come from; not all of them where it is not whole. */
async function filesOf(
  images: Images,
  { icon, logo, coverImage }: PassView,
  workspaceId: string,
): Promise<PictureSources & { isWhole: boolean }> {
  let isWhole = true;
  const leaveOut = () => {
    isWhole = false;
  };
  const fileOf = (source: string | null) =>
    source === null ? null : orLeftOut(images.idOf(workspaceId, source), leaveOut);
  const files = await Promise.all([fileOf(icon), fileOf(logo), fileOf(coverImage)]);
  return { icon: files[0], logo: files[1], coverImage: files[2], isWhole };
}

function placeOfCover(view: PassView) {
  if (!hasStrip(view)) return THUMBNAIL;
  return view.passType === 'EVENT_TICKET' ? TICKET_STRIP : STRIP;
}

export async function loadPictures(
  images: Images,
  view: PassView,
  workspaceId: string,
): Promise<Pictures> {
  const load = (source: string | null) =>
    source === null ? null : images.load(workspaceId, source);
  const [icon, logo, cover] = await Promise.all([
    load(view.icon),
    load(view.logo),
    load(view.coverImage),
  ]);
  const colours = { background: view.backgroundColor, foreground: view.valueColor };
  return { icon: icon ?? logo ?? (await letterIcon(iconName(view), colours)), logo, cover };
}

function iconName({ logoText, description }: PassView): string {
  return logoText || description;
}
