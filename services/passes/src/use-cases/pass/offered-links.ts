import type { PassDeps } from '../../deps';
import type { LinkedPass } from '../../domain/pass/links';
import { endOf } from '../../domain/pass/pass';

/** The links of a pass that people are shown; null for a wallet that would not take it (part 4, section 4). */
export interface OfferedLinks {
  apple_pass_url: string | null;
  google_pass_url: string | null;
}

/** The way of a pass into wallets, as pages and mails offer it to people. */
export async function offeredLinks(
  { links, walletsOffered }: Pick<PassDeps, 'links' | 'walletsOffered'>,
  workspaceId: string,
  pass: LinkedPass,
): Promise<OfferedLinks> {
  const { apple, google } = await walletsOffered(workspaceId);
  const { apple_pass_url, google_pass_url } = links.urlsOf(pass);
  return {
    apple_pass_url: apple ? apple_pass_url : null,
    google_pass_url: google ? google_pass_url : null,
  };
}

/** The same of a pass that only its id is known of; null links where it is gone or has ended: a card that is added then works nowhere. */
export async function linksOfPass(
  deps: Pick<PassDeps, 'links' | 'walletsOffered' | 'passes' | 'clock'>,
  workspaceId: string,
  passId: string,
): Promise<OfferedLinks> {
  const pass = await deps.passes.find(workspaceId, passId);
  if (!pass || endOf(pass, deps.clock.now()) !== null)
    return { apple_pass_url: null, google_pass_url: null };
  return offeredLinks(deps, workspaceId, pass);
}
