import type { passes as api } from '@laurel/rpc';
import type { WalletDeps } from '../../deps';
import { retiredPass } from '../../domain/pass/retirement';
import { signBundle } from '../../outside/apple/bundle';
import type { AppleCredentials } from '../../outside/credentials/types';
import { emptyCard, findSignedPass, type PassOnTemplate } from './find-signed-pass';
import { appleFiles, appleIssue, render } from './render';

/** The .pkpass behind a link. */
export async function getApplePass(
  deps: WalletDeps,
  request: api.SignedPassRequest,
): Promise<api.ApplePass> {
  const { if_modified_since: ifModifiedSince } = request;
  return drawApplePass(deps, await findSignedPass(deps, request), { ifModifiedSince });
}

interface Fetched {
  ifModifiedSince?: string | undefined;
  /** What the card was issued by that a phone has already; else it is a new one. */
  issuedBy?: AppleCredentials;
}

/** A pass as its phone gets it; without content where it shows what it showed at `ifModifiedSince`. */
export async function drawApplePass(
  deps: WalletDeps,
  { pass, template }: PassOnTemplate,
  { ifModifiedSince, issuedBy }: Fetched,
): Promise<api.ApplePass> {
  const { workspace_id: workspaceId, id: passId } = pass;
  const current = await deps.credentials.apple(workspaceId);
  const credentials = issuedBy ?? current;
  const view = await render(deps, template, pass);
  const issue = appleIssue(deps, current, { template, pass });
  const { files, digest, isWhole } = await appleFiles(deps, {
    view,
    issue,
    ...(issuedBy ? { issuedAs: appleIssue(deps, issuedBy, { template, pass }) } : {}),
    workspaceId,
  });
  const shown = { passId, digest };
  const { changedAt } = await deps.contents.note(workspaceId, shown, deps.clock.now());
  const reply = { last_modified: changedAt.toUTCString(), file_name: `${passId}.pkpass` };
  const known = ifModifiedSince === undefined ? Number.NaN : Date.parse(ifModifiedSince);
  const isNew = !(changedAt.getTime() <= known);
  if (isNew) await deps.registrations.noteServed(workspaceId, passId, digest);
  // The push that waits for the picture itself finds out that the card shows more than what was just noted.
  if (!isWhole) await deps.passUpdates.remind(workspaceId, passId, deps.clock.now());
  if (!isNew) return reply;
  return { ...reply, content: await signBundle(files, credentials, deps.clock.now()) };
}

/** What a phone gets whose card is from before the links of the pass were made anew: nothing of anybody, and voided. */
export async function drawEndedApplePass(
  deps: WalletDeps,
  { pass, template }: PassOnTemplate,
  { generation, issuedBy }: { generation: number; issuedBy: AppleCredentials },
): Promise<api.ApplePass> {
  const { id: passId, workspace_id: workspaceId, date_updated: endedAt } = pass;
  const former = { ...pass, link_generation: generation };
  const empty = emptyCard(retiredPass(former, template, endedAt));
  const view = await render(deps, empty.template, empty.pass);
  const issue = appleIssue(deps, issuedBy, empty);
  const { files } = await appleFiles(deps, { view, issue, workspaceId });
  const now = deps.clock.now();
  const content = await signBundle(files, issuedBy, now);
  return { last_modified: now.toUTCString(), file_name: `${passId}.pkpass`, content };
}
