import { oneLine, writeLetter } from '@laurel/mail';
import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { displayName } from '../domain/contact';
import { companyMail, languageOfAccount } from '../domain/mails';
import type { UserRow } from '../store/users';

const WORKSPACES_TOLD_MAX = 10;
const PEOPLE_TOLD_MAX = 20;

/**
 * What somebody else may have prepared in an account before its owner proved the address, in the transaction of the
 * proof: invitations that were not taken up end; of people who are in the account's workspaces already its owner is
 * warned, since the platform cannot tell an accomplice from a colleague (docs/adr/0014).
 */
export async function endWhatWasPrepared(
  deps: Deps,
  user: UserRow,
  session: Session,
): Promise<void> {
  await deps.invitations.revokeOfInviter(user._id, { session });
  const company = await companyOf(deps, user);
  if (company.length === 0) return;
  const mail = writeLetter(companyMail(languageOfAccount(user), company));
  await deps.messages.enqueue(
    { channel: 'email', to: user.email, workspaceId: null, ...mail },
    session,
  );
}

/** Who else is in the workspaces that the account opened. */
async function companyOf({ members, workspaces, users }: Deps, { _id: userId }: UserRow) {
  const places = (await members.listOfUser(userId)).map((row) => row.workspace_id);
  const opened = (await workspaces.findMany(places)).filter((row) => row.creator_id === userId);
  const company = await Promise.all(
    opened.slice(0, WORKSPACES_TOLD_MAX).map(async ({ _id, name }) => {
      const others = (await members.list(_id)).filter((row) => row.user_id !== userId);
      const ids = others.slice(0, PEOPLE_TOLD_MAX).map((row) => row.user_id);
      const people = (await users.findMany(ids)).map((row) => oneLine(describe(row)));
      return { workspaceName: oneLine(name), people, count: others.length };
    }),
  );
  return company.filter(({ count }) => count > 0);
}

const describe = (row: UserRow): string => {
  const name = displayName(row);
  return name === row.email ? name : `${name} (${row.email})`;
};
