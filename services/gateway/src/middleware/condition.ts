import { invalidField, Refusal } from '@laurel/errors';
import type { IfMatch } from '@laurel/lifecycle';
import type { Request } from 'express';
import type { Answer, Input, Route } from '../routing';
import { nameChange, ownIdOf } from './audit';

const TAGS_MAX = 100;
/** One tag of a list, with what parts it from the next (RFC 9110, section 8.8.3). */
const TAG = /[\t ]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*(?:,|$)|[\t ]*(?:,|$)/y;

/** A change is noted a moment after it was made; clocks of other machines are a little off. */
const NOTED_MS_BEFORE = 5_000;
const NOTED_MS_AFTER = 60_000;
const RECORDS_MAX = 100;

/**
 * Rows that share a version: what changes a part changes the whole. Their records name the part that was changed, so that
 * those of the whole alone would tell of an earlier change by somebody else.
 */
const PARTS: readonly (readonly string[])[] = [
  ['campaign', 'campaign-action', 'action'],
  ['mobile-app-config', 'mobile-app-action', 'action'],
  ['workspace', 'setting'],
];

type ChangeInput = Input<string, unknown, unknown>;

/**
 * What a change is asked under: the strong tags of its If-Match, or any version; undefined where there is no such header.
 * A weak tag is of no version that differs from another one, so it holds for none.
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
  const id = ownIdOf(params as Record<string, string>);
  const changedAt = Date.parse(String(error.problems[0]?.extensions?.changed_at));
  if (Number.isNaN(changedAt)) return null;
  const { entity } = nameChange(route);
  const entities = PARTS.find((family) => family.includes(entity)) ?? [entity];
  const logs = await Promise.all(
    entities.map((each) =>
      rpc.identity.ListAuditLog({
        workspace_id: workspaceId,
        entity: each,
        from: new Date(changedAt - NOTED_MS_BEFORE).toISOString(),
        until: new Date(changedAt + NOTED_MS_AFTER).toISOString(),
        limit: RECORDS_MAX,
      }),
    ),
  );
  const actor = actorOf(
    logs
      .flatMap(({ data }) => data)
      .filter(
        ({ entity_id }) => entities.length > 1 || id === undefined || (entity_id ?? id) === id,
      ),
    changedAt,
  );
  return actor ? { type: actor.type, id: actor.id ?? null, email: actor.email ?? null } : null;
}

/**
 * Who made the change of a moment, among changes around it: the record that is nearest. The newest would be that of
 * somebody who came later, and one a second before it that of the row's maker.
 */
export function actorOf<Actor>(
  records: readonly { at: string; actor?: Actor | undefined }[],
  changedAt: number,
): Actor | undefined {
  const away = ({ at }: { at: string }) => Math.abs(Date.parse(at) - changedAt);
  return [...records].sort((one, other) => away(one) - away(other))[0]?.actor;
}
