import { platform } from '@laurel/errors';
import { currentContext, newId } from '@laurel/lifecycle';
import { isDuplicateKey, type Session, unitOfWork } from '@laurel/mongo';
import type { referrals as api, clients } from '@laurel/rpc';
import { emailKeyOf, phoneKey } from '@laurel/values/contact';
import type { Deps } from '../deps';
import { type AttributionFacts, outcomeOf } from '../domain/attribution';
import { normaliseCode } from '../domain/code';
import { newReferral } from '../domain/referral';
import { refusals } from '../refusals';
import type { Person } from '../store/people';
import { leadsTo } from './leads-to';
import { createdEvent } from './referral-events';

/** How often it is decided anew because a client was merged or deleted meanwhile. */
const DECISIONS_MAX = 3;

interface Parties {
  workspaceId: string;
  code: string;
  referrer: clients.Client;
  referee: clients.Client;
  wasEnrolled: boolean;
  isOwnCode: boolean;
  isDryRun: boolean;
}

/**
 * Applies the code that somebody entered when enrolling. Never refuses for the code's sake: what
 * became of it is the outcome. Repeating it within one operation gives the same outcome. A dry run only
 * tells what would become of it.
 */
export async function attribute(
  deps: Deps,
  request: api.AttributeRequest,
): Promise<api.Attribution> {
  for (let attempt = 1; attempt <= DECISIONS_MAX; attempt += 1) {
    const parties = await findParties(deps, request);
    if (!parties) return { outcome: 'invalid_code' };
    const decided = await decideOnce(deps, parties);
    if (decided) return decided;
  }
  throw platform.serviceUnavailable({
    message: 'others are changing these clients at this moment: try again',
    retryAfterSeconds: 1,
  });
}

/** null when one of the two became part of another client or went away meanwhile. */
async function decideOnce(deps: Deps, parties: Parties): Promise<api.Attribution | null> {
  const { workspaceId, referrer, referee } = parties;
  const repeated = async () => {
    const first = await deps.referrals.attributionOf(workspaceId, referee.id);
    return first?.operationId === currentContext().operationId ? applied(first.id) : null;
  };
  const earlier = await repeated();
  if (earlier) return earlier;
  try {
    return await deps.inTurn(referrer.id, () => decide(deps, parties));
  } catch (error) {
    if (!isDuplicateKey(error, 'referee_key')) throw error;
    return (await repeated()) ?? { outcome: 'already_attributed' };
  }
}

const applied = (referralId: string): api.Attribution => ({
  outcome: 'applied',
  referral_id: referralId,
});

/** null when the code has no owner. */
async function findParties(deps: Deps, request: api.AttributeRequest): Promise<Parties | null> {
  const { workspace_id: workspaceId, email, phone } = request;
  const code = normaliseCode(request.code);
  const owner = code === null ? null : await deps.codes.ownerOf(workspaceId, code);
  if (code === null || owner === null) return null;
  const refereeId = await deps.people.currentOf(workspaceId, request.referee_client_id);
  const ids = [...new Set([owner, refereeId])];
  const { clients: found } = await deps.clients.GetClients({ workspace_id: workspaceId, ids });
  const referrer = found.find(({ id }) => id === owner);
  const referee = found.find(({ id }) => id === refereeId);
  if (!referee) throw refusals.unknownClient({ field: 'referee_client_id' });
  // Its deletion is on its way here, and the code goes with it.
  if (!referrer) return null;
  const isOwnCode =
    referrer.id === referee.id ||
    sharesContact(referrer, referee) ||
    sharesContact(referrer, { email, phone });
  const { already_enrolled: wasEnrolled, dry_run: isDryRun = false } = request;
  return { workspaceId, code, referrer, referee, wasEnrolled, isOwnCode, isDryRun };
}

type Contact = { email?: string | null | undefined; phone?: string | null | undefined };

/** Two records with one e-mail address or phone number are one person. */
function sharesContact(one: Contact, other: Contact): boolean {
  const [email, phone] = [emailKeyOf(one.email), phoneKey(one.phone)];
  return (
    (email !== null && email === emailKeyOf(other.email)) ||
    (phone !== null && phone === phoneKey(other.phone))
  );
}

async function decide(deps: Deps, parties: Parties): Promise<api.Attribution | null> {
  const { workspaceId, referrer, referee, code } = parties;
  return unitOfWork(deps.connection, async (session) => {
    const program = await deps.programs.find(workspaceId, session);
    const facts = await gatherFacts(deps, parties, session);
    if (facts === null) return null;
    const outcome = outcomeOf({ ...facts, program });
    if (outcome !== 'applied' || !program || parties.isDryRun) return { outcome };
    const ends = { referrerId: referrer.id, refereeId: referee.id, code };
    const referral = newReferral({ id: newId(), now: deps.clock.now() }, program, ends);
    const origin = { programId: program.id, operationId: currentContext().operationId };
    await deps.referrals.insert(referral, origin, session);
    await deps.people.involve(workspaceId, [referrer.id, referee.id], session);
    await deps.outbox.append([createdEvent(referral)], session);
    return applied(referral.id);
  });
}

/** What is known within the unit of work; null when one of the two has just gone. */
async function gatherFacts(
  deps: Deps,
  { workspaceId, referrer, referee, wasEnrolled, isOwnCode }: Parties,
  session: Session,
): Promise<Omit<AttributionFacts, 'program'> | null> {
  const touched = new Map<string, Person>();
  // Always in one order, so that two units of work cannot wait for each other.
  for (const client of [referrer, referee].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const met = { id: client.id, names: namesOf(client) };
    touched.set(client.id, await deps.people.touch(workspaceId, met, session));
  }
  const gone = [...touched.values()].some(({ ended }) => ended === 'deleted' || ended === 'merged');
  if (gone) return null;
  const mayCycle = await deps.referrals.hasBrought(workspaceId, referee.id, session);
  const line = { workspaceId, from: referrer.id, ends: [referee.id] };
  return {
    isOwnCode,
    referrerEnrolled: referrer.loyalty_program_enabled,
    isAttributed: (await deps.referrals.attributionOf(workspaceId, referee.id, session)) !== null,
    wasEnrolled,
    closesCycle: mayCycle && (await leadsTo(deps, line, session)),
    referrerCompleted: touched.get(referrer.id)!.completed,
  };
}

const namesOf = ({ first_name, last_name, email }: clients.Client) => ({
  first_name: first_name ?? null,
  last_name: last_name ?? null,
  email: email ?? null,
});
