import type { CloudEvent, EventOf, OnceForBatch } from '@laurel/events';
import { runInContext } from '@laurel/lifecycle';
import { type Erasure, erasePerson, mergePerson, type Session } from '@laurel/mongo';
import { toUnits } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { type DayTally, dayOf, NOTHING } from '../domain/activity';
import {
  anonymize,
  bury,
  count,
  type HeldTier,
  introduce,
  isEligible,
  type Member,
  mergeMembers,
  type Said,
  settle,
  strangerMember,
} from '../domain/member';
import type { Programme } from '../domain/programme';
import { introductionOf } from '../store/mapping';
import { type Cause, contextOfAll, occasionOf } from './causes';
import { readProgramme } from './read-programme';
import { type Change, eventsOf, recordMoves } from './record-moves';

type FollowDeps = Pick<
  Deps,
  | 'connection'
  | 'collections'
  | 'members'
  | 'history'
  | 'passes'
  | 'workspaces'
  | 'tierSets'
  | 'tiers'
  | 'outbox'
  | 'clock'
>;

/** What happens elsewhere that this service keeps up with. */
export const FOLLOWED_EVENTS = [
  'clients.created',
  'clients.updated',
  'clients.merged',
  'clients.anonymized',
  'clients.deleted',
  'loyalty.points_earned',
  'loyalty.points_adjusted',
  'transaction.purchase',
  'transaction.refund',
  'passes.pass_created',
  'passes.pass_updated',
  'passes.pass_deleted',
] as const;
type FollowedEvent = EventOf<(typeof FOLLOWED_EVENTS)[number]>;
type PassEvent = Extract<FollowedEvent, { type: `passes.${string}` }>;
type ActivityEvent = Extract<
  FollowedEvent,
  { type: `loyalty.${string}` | `transaction.${string}` }
>;

/** Takes over what is new in a batch, in one transaction: members move, and each rise is announced. */
export function followMembers(deps: FollowDeps, once: OnceForBatch<FollowedEvent>): Promise<void> {
  return once(async (session, fresh) => {
    const ids = [...new Set(fresh.map((event) => event.workspaceid))];
    const deleted = await deps.workspaces.deletedAmong(ids, session);
    for (const workspaceId of ids.filter((id) => !deleted.has(id))) {
      const own = fresh.filter((event) => event.workspaceid === workspaceId);
      await followWorkspace(deps, { workspaceId, events: own }, session);
    }
  });
}

async function followWorkspace(
  deps: FollowDeps,
  { workspaceId, events }: { workspaceId: string; events: readonly FollowedEvent[] },
  session: Session,
): Promise<void> {
  const programme = await readProgramme(deps, workspaceId, session);
  const clientIds = events.flatMap(clientsIn);
  const book = await openBook(deps, { workspaceId, clientIds }, session);
  const now = deps.clock.now();
  for (const event of events) await take(deps, { book, event, programme, now, session });
  const changes = book.changes(programme, now);
  await recordMoves(deps, { workspaceId, changes }, session);
}

interface Turn<Event extends FollowedEvent = FollowedEvent> {
  book: Book;
  event: Event;
  programme: Programme | null;
  now: Date;
  session: Session;
}

async function take(deps: FollowDeps, turn: Turn): Promise<void> {
  const { book, event } = turn;
  switch (event.type) {
    case 'passes.pass_created':
    case 'passes.pass_updated':
    case 'passes.pass_deleted':
      return takePass(deps, { ...turn, event });
    case 'clients.merged':
      return takeMerge(deps, { ...turn, event });
    case 'clients.created':
    case 'clients.updated':
      return takeClient({ ...turn, event });
    case 'clients.anonymized':
      await eraseRows(deps, turn, { clientId: event.data.client_id, ending: 'anonymized' });
      return book.change(event.data.client_id, anonymize, { event, reason: 'anonymized' });
    case 'clients.deleted':
      await eraseRows(deps, turn, { clientId: event.data.client_id, ending: 'deleted' });
      return book.change(event.data.client_id, bury);
    default:
      return takeActivity({ ...turn, event });
  }
}

/** What is kept of a client beside its member. */
async function eraseRows(
  deps: FollowDeps,
  { event, session }: Turn,
  erased: Omit<Erasure, 'workspaceId'>,
): Promise<void> {
  await erasePerson(deps, { workspaceId: event.workspaceid, ...erased }, session);
}

function takeClient({ book, event }: Turn<EventOf<'clients.created' | 'clients.updated'>>): void {
  const { client_id: clientId, client, client_revision: revision = null } = event.data;
  const before = book.of(clientId);
  const after = introduce(before, introductionOf(client, { at: momentOf(event), revision }));
  const toggled = isEligible(before) !== isEligible(after);
  if (toggled) book.change(clientId, () => after, { event, reason: 'enrollment' });
  else book.change(clientId, () => after);
}

function takeActivity({ book, event, now }: Turn<ActivityEvent>): void {
  const { client_id: clientId } = event.data;
  const happened = activityIn(event);
  if (clientId === null || !happened) return;
  const cause = { event, reason: 'activity' as const };
  book.change(book.heirOf(clientId), (member) => count(member, happened, now), cause);
}

/** What an event adds to a client's activity; null for what does not count, such as points taken away. */
function activityIn(event: ActivityEvent): DayTally | null {
  if (event.type === 'loyalty.points_earned' || event.type === 'loyalty.points_adjusted') {
    const { entry, wallet } = event.data;
    if (entry.amount <= 0) return null;
    const earned = { [wallet.wallet_type_code]: toUnits(entry.amount) };
    return { day: dayOf(new Date(entry.created_at)), ...NOTHING, earned };
  }
  const { amount, event_timestamp: at, event_type: type } = event.data;
  const day = dayOf(new Date(at));
  return type === 'refund'
    ? { day, ...NOTHING, spending: toUnits(amount === 0 ? 0 : -amount) }
    : { day, ...NOTHING, spending: toUnits(amount), transactions: 1 };
}

async function takeMerge(deps: FollowDeps, turn: Turn<EventOf<'clients.merged'>>): Promise<void> {
  const { book, event, programme, session } = turn;
  const { source_client_id: sourceId, target_client_id: named } = event.data;
  const targetId = book.heirOf(named);
  if (sourceId === targetId) return;
  const merged = mergeMembers(book.of(targetId), book.of(sourceId), programme);
  book.change(targetId, () => merged.target, { event, reason: 'merged' });
  book.change(sourceId, () => merged.source);
  const { workspaceid: workspaceId } = event;
  await mergePerson(deps, { workspaceId, source: sourceId, target: targetId }, session);
  // The target was deleted before the merge was heard of: what became of its rows becomes of the source's.
  if (merged.target.state === 'deleted')
    await eraseRows(deps, turn, { clientId: targetId, ending: 'deleted' });
  await refreshTemplates(deps, { book, session, workspaceId }, [targetId]);
}

async function takePass(
  deps: FollowDeps,
  { book, event, session }: Turn<PassEvent>,
): Promise<void> {
  const { pass_id: passId, client_id, pass_template_id: templateId } = event.data;
  const { pass_revision: revision = null } = event.data;
  const { workspaceid: workspaceId } = event;
  const deleted = event.type === 'passes.pass_deleted';
  const clientId = client_id === null ? null : book.heirOf(client_id);
  const asOf: Said = { at: momentOf(event), revision };
  const report = { passId, clientId, templateId, asOf, deleted };
  const affected = await deps.passes.put(workspaceId, report, session);
  await refreshTemplates(deps, { book, session, workspaceId }, affected);
}

async function refreshTemplates(
  { members, passes }: FollowDeps,
  { book, session, workspaceId }: { book: Book; session: Session; workspaceId: string },
  clientIds: readonly string[],
): Promise<void> {
  for (const id of clientIds) {
    if (!book.knows(id)) book.enter(await members.find(workspaceId, id, session), id);
    const templateIds = await passes.templatesOf(workspaceId, id, session);
    book.change(id, (member) => (member.state === 'alive' ? { ...member, templateIds } : member));
  }
}

/** Orders what is said without a count: by time, then by the id that events are made with. */
function momentOf({ time, id }: CloudEvent): string {
  return `${time}|${id}`;
}

function clientsIn({ type, data }: FollowedEvent): string[] {
  if (type === 'clients.merged') return [data.source_client_id, data.target_client_id];
  return data.client_id === null ? [] : [data.client_id];
}

type Book = Awaited<ReturnType<typeof openBook>>;

/** The members a batch is about, as they are while it is taken over. */
async function openBook(
  { members }: FollowDeps,
  { workspaceId, clientIds }: { workspaceId: string; clientIds: readonly string[] },
  session: Session,
) {
  const pages = new Map<string, Member>();
  const touched = new Set<string>();
  const causes = new Map<string, Cause[]>();
  const tiersBefore = new Map<string, HeldTier | null>();
  const enter = (found: Member | null, id: string): void => {
    const member = found ?? strangerMember(workspaceId, id);
    pages.set(id, member);
    tiersBefore.set(id, member.tier);
  };
  // A merged client leads to the one they became.
  for (let wanted = [...new Set(clientIds)]; wanted.length > 0; ) {
    const found = new Map(
      (await members.findMany(workspaceId, wanted, session)).map((member) => [member.id, member]),
    );
    for (const id of wanted) enter(found.get(id) ?? null, id);
    const heirs = [...found.values()]
      .map(({ mergedInto }) => mergedInto)
      .filter((id) => id !== null);
    wanted = [...new Set(heirs)].filter((id) => !pages.has(id));
  }

  return {
    enter,
    knows: (id: string): boolean => pages.has(id),
    of: (id: string): Member => pages.get(id) ?? strangerMember(workspaceId, id),

    /** Who a client is today, after all merges. */
    heirOf(id: string): string {
      const seen = new Set<string>();
      let heir = id;
      for (
        let next = pages.get(heir)?.mergedInto;
        next && !seen.has(next);
        next = pages.get(heir)?.mergedInto
      ) {
        seen.add(next);
        heir = next;
      }
      return heir;
    },

    /** Changes a member; with a cause, their tier is looked at anew. */
    change(id: string, how: (member: Member) => Member, cause?: Cause): void {
      if (!pages.has(id)) enter(null, id);
      const before = pages.get(id)!;
      const after = how(before);
      if (after !== before) touched.add(id);
      pages.set(id, after);
      if (cause && after !== before) causes.set(id, [...(causes.get(id) ?? []), cause]);
    },

    /** Everything to be written: those looked at anew are where they belong. */
    changes(programme: Programme | null, now: Date): Change[] {
      return [...touched].map((id) => {
        const member = pages.get(id)!;
        const own = causes.get(id);
        if (!own || member.state !== 'alive') return { member, move: null, reason: 'activity' };
        const before = tiersBefore.get(id) ?? null;
        const { reason, ...occasion } = occasionOf(own);
        const settled = settle(member, programme, { ...occasion, now, before });
        // Sent in the name of what caused it, so that chains of automations stay connected.
        const told = runInContext(contextOfAll(own), () =>
          settled.move ? eventsOf(settled.member, { move: settled.move, reason }, programme) : [],
        );
        return { ...settled, reason, events: told };
      });
    },
  };
}
