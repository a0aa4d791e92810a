import { invalidField, Refusal } from '@laurel/errors';
import type { IfMatch } from '@laurel/lifecycle';
import type { Request } from 'express';
import type { Answer, Input, Route } from '../routing';
import { nameChange } from './audit';

const TAGS_MAX = 100;
/** One tag of a list, with what parts it from the next (RFC 9110, section 8.8.3). */
const TAG = /[\t ]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*(?:,|$)|[\t ]*(?:,|$)/y;

/** A change is noted a moment after it was made; clocks of other machines are a little off. */
const NOTED_MS_BEFORE = 5_000;
const NOTED_MS_AFTER = 60_000;
const RECORDS_MAX = 100;

type ChangeInput = Input<string, unknown, unknown>;

/**
 * What a change is asked under: the strong tags of its If-Match, or any version; undefined where there is no such header.
 * A weak tag is of no version that could be told from another one, so it holds for none.
 */
export function conditionOf(route: Route, request: Request): IfMatch | undefined {
  const header = request.get('if-match');
  if (header === undefined || !route.versioned || route.method === 'get') return undefined;
  if (header.trim() === '*') return '*';
  const tags = tagsOf(header);
  if (!tags)
    throw invalidField('If-Match', `If-Match must be * or up to ${TAGS_MAX} tags such as "x", "y"`);
  return tags;
}

function tagsOf(header: string): string[] | null {
  const found = [];
  TAG.lastIndex = 0;
  while (TAG.lastIndex < header.length) {
    const match = TAG.exec(header);
    if (!match) return null;
    const [, weak, tag] = match;
    if (tag !== undefined) found.push({ tag, isWeak: weak !== undefined });
  }
  if (found.length === 0 || found.length > TAGS_MAX) return null;
  return found.filter(({ isWeak }) => !isWeak).map(({ tag }) => tag);
}

/** Handles a request; what is refused for the sake of its condition says whose change came first, where that is known. */
export async function underCondition(
  route: Route,
  input: ChangeInput,
  settleAudit: () => Promise<void>,
): Promise<Answer> {
  try {
    return await route.handle(input);
  } catch (error) {
    if (!(error instanceof Refusal) || error.httpStatus !== 412) throw error;
    const changed_by = await settleAudit()
      .then(() => whoChanged(route, input, error))
      .catch(() => null);
    const [problem] = error.problems;
    if (!changed_by || !problem) throw error;
    const told = { ...problem, extensions: { ...problem.extensions, changed_by } };
    throw new Refusal(error, [told]);
  }
}

/** Looks a change up in the audit log. Jobs and events change rows, too, and are not in it. */
async function whoChanged(route: Route, { rpc, workspaceId, params }: ChangeInput, error: Refusal) {
  const { id } = params as Record<string, string>;
  const changedAt = error.problems[0]?.extensions?.changed_at;
  if (typeof changedAt !== 'string') return null;
  const { entity } = nameChange(route);
  const { data: records } = await rpc.identity.ListAuditLog({
    workspace_id: workspaceId,
    entity,
    from: new Date(Date.parse(changedAt) - NOTED_MS_BEFORE).toISOString(),
    until: new Date(Date.parse(changedAt) + NOTED_MS_AFTER).toISOString(),
    limit: RECORDS_MAX,
  });
  const changes = records.filter((record) => id === undefined || record.entity_id === id);
  const { actor } = changes[0] ?? {};
  return actor ? { type: actor.type, id: actor.id ?? null, email: actor.email ?? null } : null;
}
