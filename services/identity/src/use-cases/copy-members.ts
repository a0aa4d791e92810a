import { keptOperation, mapAtOnce, runInContext, stableId } from '@laurel/lifecycle';
import type { clients, ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { ClaimedClone } from '../store/workspace-clones';

const PAGE = 50;
/** Members that are made at once: what is tried out leaves room for what is meant. */
const AT_ONCE = 5;
/** What happens so deep in a chain of rules fires none (part 3, section 8): no member has bought anything. */
const BENEATH_RULES = 5;
const WHY = 'Opening balance of a clone';

type MemberDeps = Pick<Deps, 'clients' | 'ledger' | 'workspaceClones'>;
/** A member of the source as the clone gets it: without anything that says who it is. */
interface Unknown {
  source: clients.Client;
  number: number;
  wallets: readonly Opening[];
}
interface Opening {
  code: string;
  earned: number;
  balance: number;
}

/**
 * Brings as many members as were asked for, the newest first, page by page: with what they have earned and hold, and
 * nothing else of them. A second try finds done what was done. False where it was to stop before it was done.
 */
export async function copyMembers(
  deps: MemberDeps,
  row: ClaimedClone,
  isStopping: () => boolean,
): Promise<boolean> {
  const { workspaceClones } = deps;
  let { members_copied, cursor } = row;
  while (members_copied < row.members) {
    if (isStopping()) return false;
    const limit = Math.min(PAGE, row.members - members_copied);
    const page = await readPage(deps, row, { limit, cursor, from: members_copied });
    await mapAtOnce(page.members, AT_ONCE, (member) =>
      runInContext({ ...keptOperation(nameOf(row, member)), depth: BENEATH_RULES }, () =>
        makeMember(deps, row._id, member),
      ),
    );
    members_copied += page.members.length;
    cursor = page.next;
    if (!(await workspaceClones.note(row, { members_copied, cursor }))) return false;
    if (cursor === null) break;
  }
  return true;
}

const nameOf = ({ _id }: ClaimedClone, { source }: Unknown): string =>
  stableId(`clone ${_id} ${source.id}`);

async function readPage(
  { clients, ledger }: MemberDeps,
  { workspace_id }: ClaimedClone,
  { limit, cursor, from }: { limit: number; cursor: string | null; from: number },
): Promise<{ members: Unknown[]; next: string | null }> {
  const where = cursor === null ? { offset: 0 } : { offset: 0, cursor };
  const page = await clients.ListClients({ workspace_id, limit, ...where });
  const there = page.clients.filter(({ status }) => status !== 'anonymized');
  const client_ids = there.map(({ id }) => id);
  const balances =
    client_ids.length === 0
      ? { wallet_types: [], clients: [] }
      : await ledger.ListBalances({ workspace_id, client_ids });
  const walletsOf = openingsOf(balances);
  const members = there.map((source, index) => ({
    source,
    number: from + index + 1,
    wallets: walletsOf.get(source.id) ?? [],
  }));
  return { members, next: page.next_cursor ?? null };
}

function openingsOf({ wallet_types, clients }: ledger.BalanceList): Map<string, Opening[]> {
  const types = new Map(wallet_types.map((type) => [type.id, type]));
  const ofWallets = (wallets: readonly ledger.Wallet[]): Opening[] =>
    wallets.flatMap((wallet) => {
      const type = types.get(wallet.wallet_type_id);
      if (!type) return [];
      const { active_balance, pending_balance, locked_balance, total_earned: earned } = wallet;
      const held = active_balance + pending_balance + locked_balance;
      // A debt from when the wallet type allowed one cannot be made again.
      const balance = type.allow_negative_balance ? held : Math.max(0, held);
      return earned === 0 && balance === 0 ? [] : [{ code: type.code, earned, balance }];
    });
  return new Map(clients.map(({ client_id, wallets }) => [client_id, ofWallets(wallets)]));
}

async function makeMember(
  { clients, ledger }: MemberDeps,
  workspace_id: string,
  { source, number, wallets }: Unknown,
): Promise<void> {
  const { id } = await clients.CreateClient({
    workspace_id,
    first_name: 'Member',
    last_name: String(number),
    status: source.status,
    loyalty_program_enabled: source.loyalty_program_enabled,
    source: 'clone',
  });
  for (const wallet of wallets) await openWallet(ledger, { workspace_id, client_id: id }, wallet);
}

/**
 * What was earned is what tiers go by, so it is booked whole, as far as a wallet may hold it, and then what of it is gone. Who
 * holds more than that by now (by a refund, on hold, from before the cap was lowered) holds in the clone what the cap allows.
 */
async function openWallet(
  ledger: MemberDeps['ledger'],
  whose: { workspace_id: string; client_id: string },
  { code, earned, balance }: Opening,
): Promise<void> {
  const named = (what: string) => ({
    ...whose,
    wallet_type_code: code,
    description: WHY,
    operation_id: `clone:${whose.client_id}:${code}:${what}`,
  });
  const whole = toPoints(Math.max(earned, balance));
  const booked =
    whole > 0
      ? await ledger.EarnPoints({ ...named('earned'), amount: whole, pending_days: 0 })
      : null;
  const rest = toPoints(balance - (booked?.entry?.amount ?? 0));
  if (rest < 0) await ledger.AdjustPoints({ ...named('gone'), amount: rest });
}

/** Points have four decimals; sums of them that were made in binary may have more. */
const toPoints = (amount: number): number => Math.round(amount * 10_000) / 10_000;
