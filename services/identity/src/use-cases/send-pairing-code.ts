import { newId } from '@laurel/lifecycle';
import { pairingCodeLetter, pairingCodeText, type ShopWriter, writeLetter } from '@laurel/mail';
import { type Session, unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import {
  countMail,
  type MailLimit,
  PAIRING_CODES_TO_ONE_CONTACT,
  TO_ONE_ADDRESS,
} from '../domain/mail-limits';
import { CODE_LIFE_MS, digestCode, newCode } from '../domain/one-time-code';
import { refusals } from '../refusals';
import type { MobileUserRow } from '../store/mobile-users';
import { shopWriterOf } from './writer-of';

type Channel = 'email' | 'sms';
const CHANNELS: Record<string, readonly Channel[]> = {
  email: ['email'],
  sms: ['sms'],
  both: ['email', 'sms'],
  none: [],
};

/** Makes a code in the place of whatever code the app user had, and sends it by the ways asked for. */
export async function sendPairingCode(
  deps: Deps,
  { workspace_id, id, delivery_method }: identity.SendPairingCodeRequest,
): Promise<identity.SendPairingCodeReply> {
  const { connection, workspaces, mobileUsers, pairingCodes, config, clock } = deps;
  const channels = CHANNELS[delivery_method] ?? [];
  const code = newCode();
  return unitOfWork(connection, async (session) => {
    const workspace = await workspaces.find(workspace_id, session);
    const user = await mobileUsers.find(workspace_id, id, session);
    if (!workspace || !user) throw refusals.mobileUserNotFound();
    if (channels.includes('email') && user.email === null)
      throw refusals.undeliverable({ values: { contact: 'email' } });
    if (channels.includes('sms') && user.phone === null)
      throw refusals.undeliverable({ values: { contact: 'phone' } });
    if (user.status === 'suspended') throw refusals.suspendedUser();
    const now = clock.now();
    const count = countMail(user.codes_made_at, TO_ONE_ADDRESS, now);
    if ('retryAfterSeconds' in count) throw refusals.tooManyCodes(count);
    await countForContacts(deps, { user, channels }, session);
    await mobileUsers.noteCodes(workspace_id, id, { madeAt: count.madeAt, session });
    const codeId = newId();
    const expiresAt = new Date(now.getTime() + CODE_LIFE_MS);
    const digest = digestCode(config.jwtSecret, `pairing:${id}`, code);
    await pairingCodes.replace(
      workspace_id,
      {
        _id: codeId,
        mobile_user_id: id,
        code_digest: digest,
        created_at: now,
        expires_at: expiresAt,
      },
      session,
    );
    const writer = await shopWriterOf(deps, workspace, { kind: 'pairing_code', session });
    for (const channel of channels)
      await enqueue(deps, { channel, user, code, writer, expiresAt }, session);
    return {
      pairing_code_id: codeId,
      delivery_results: channels.map((channel) => ({ channel, status: 'queued' })),
      expires_at: expiresAt.toISOString(),
      ...(delivery_method === 'none' ? { code } : {}),
    };
  });
}

/**
 * The same limit for the address itself, since an app user is made anew in no time: of this workspace, so that no other
 * uses up what this one may send, and a looser one of them all.
 */
async function countForContacts(
  { mailCounts, clock }: Deps,
  { user, channels }: { user: MobileUserRow; channels: readonly Channel[] },
  session: Session,
): Promise<void> {
  const { workspace_id, email_key, phone_key } = user;
  for (const channel of channels) {
    const contact = channel === 'email' ? email_key : phone_key;
    const counts: [counted: string, limit: MailLimit][] = [
      [`pairing:${workspace_id}:${contact}`, TO_ONE_ADDRESS],
      [`pairing to:${contact}`, PAIRING_CODES_TO_ONE_CONTACT],
    ];
    for (const [counted, limit] of counts) {
      const refused = await mailCounts.take(counted, limit, { now: clock.now(), session });
      if (refused) throw refusals.tooManyCodes(refused);
    }
  }
}

function enqueue(
  { messages }: Deps,
  sending: {
    channel: Channel;
    user: MobileUserRow;
    code: string;
    writer: ShopWriter;
    expiresAt: Date;
  },
  session: Session,
): Promise<void> {
  const { channel, user, code, writer, expiresAt } = sending;
  const about = { channel, workspaceId: user.workspace_id, expiresAt };
  return channel === 'email'
    ? messages.enqueue(
        { ...about, to: user.email!, ...writeLetter(pairingCodeLetter(writer, code)) },
        session,
      )
    : messages.enqueue({ ...about, to: user.phone!, text: pairingCodeText(writer, code) }, session);
}
