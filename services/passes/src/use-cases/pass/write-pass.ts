import { orStale, type Session } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';
import type { Template } from '../../domain/template/template';
import { refusals } from '../../refusals';
import { openTemplate } from '../template/open-template';
import { passEvent } from './pass-events';
import { queueWalletUpdate } from './queue-wallet-update';

export interface PassChange {
  before: Pass;
  after: Pass;
  /** Who changed it, as the trail names it: api, mobile, automation, tier, expiry, campaign:<id> ... */
  source: string;
}

/** Writes a changed pass, tells of a new client or template, and asks for a wallet update, all at once. */
export async function writePass(
  deps: Pick<PassDeps, 'passes' | 'passUpdates' | 'templateRefreshes' | 'clock' | 'outbox'>,
  { before, after, source }: PassChange,
  session: Session,
): Promise<void> {
  await deps.passes.replace(after, session);
  const { id, workspace_id: workspaceId } = after;
  await queueWalletUpdate(deps, { workspaceId, passIds: [id] }, session);
  const isSwitched = after.pass_template_id !== before.pass_template_id;
  if (!isSwitched && after.client_id === before.client_id) return;
  const news = { source, ...(isSwitched ? { previous_template_id: before.pass_template_id } : {}) };
  const written = { ...after, revision: after.revision + 1 };
  await deps.outbox.append([passEvent('passes.pass_updated', written, news)], session);
}

/** As `writePass`; a place that somebody else took meanwhile makes the whole unit decide again. */
export function rewritePass(...args: Parameters<typeof writePass>): Promise<void> {
  return orStale('the place of the pass', writePass(...args));
}

/** Goes through a door of the template; refused on `field` where there is no such template. */
export async function enterTemplate(
  deps: Pick<PassDeps, 'templates'>,
  { field, ...named }: { workspaceId: string; templateId: string; field: string },
  session: Session,
): Promise<Template> {
  const template = await openTemplate(deps, named, session);
  if (!template) throw refusals.unknownPassTemplate({ field });
  return template;
}
