import type { Language, ShopMailKind } from '@laurel/contract';
import { defaultMailText, type MailText, placeholdersOf } from '@laurel/mail';
import { etagOf } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import { isAddressProven } from '../domain/address-proof';
import { brandOf, portalFromBrand } from '../domain/brand';
import { displayName } from '../domain/contact';
import { portalOf } from '../domain/portal';
import { timezoneOf } from '../domain/timezone';
import type { AuditRow } from '../store/audit-log';
import type { InvitationRow } from '../store/invitations';
import { type MailName, type MailTextState, versionOfWords } from '../store/mail-texts';
import type { MemberRow } from '../store/members';
import type { MobileSessionRow } from '../store/mobile-sessions';
import { type MobileUserRow, versionOfMobileUser } from '../store/mobile-users';
import type { NamedTokenRow } from '../store/named-tokens';
import type { UserRow } from '../store/users';
import { versionOfPart, type WorkspaceRow } from '../store/workspaces';

const iso = (at: Date): string => at.toISOString();
const isoOrNull = (at: Date | null): string | null => (at === null ? null : at.toISOString());

export const toUserReply = (row: UserRow): identity.User => ({
  id: row._id,
  email: row.email,
  first_name: row.first_name,
  last_name: row.last_name,
  date_created: iso(row.created_at),
  email_verified: isAddressProven(row),
  preferences: {
    language: row.preferences?.language ?? null,
    theme: row.preferences?.theme ?? null,
    density: row.preferences?.density ?? null,
  },
});

export const toPrincipalReply = (
  row: UserRow,
  carrier: Pick<identity.Principal, 'grant'> & {
    session_id: string | null;
    token_type: 'session' | 'api_token' | 'named_token';
  },
): identity.Principal => ({
  user_id: row._id,
  email: row.email,
  first_name: row.first_name,
  last_name: row.last_name,
  ...carrier,
});

export const toNamedTokenReply = (row: NamedTokenRow): identity.NamedToken => ({
  id: row._id,
  name: row.name,
  scope: row.scope,
  workspace_id: row.bound_to,
  date_created: iso(row.created_at),
  last_used_at: isoOrNull(row.last_used_at),
  expires_at: isoOrNull(row.expires_at),
});

export const toGrantReply = (row: NamedTokenRow): identity.TokenGrant => ({
  token_id: row._id,
  scope: row.scope,
  ...(row.bound_to === null ? {} : { workspace_id: row.bound_to }),
  ...(row.expires_at === null ? {} : { expires_at: iso(row.expires_at) }),
});

export const toWorkspaceReply = (row: WorkspaceRow, role?: string): identity.Workspace => ({
  id: row._id,
  name: row.name,
  slug: row.slug,
  date_created: iso(row.created_at),
  default_currency: row.settings.default_currency,
  default_locale: row.settings.default_locale,
  timezone: timezoneOf(row.settings.timezone),
  ...(row.brand ? { brand: brandOf(row.brand) } : {}),
  sandbox: row.sandbox === true,
  ...(role === undefined ? {} : { role }),
});

/** Where it stands alone: with the tag of the version of its settings, which its name and slug go with. */
export const toVersionedWorkspaceReply = (row: WorkspaceRow): identity.Workspace => ({
  ...toWorkspaceReply(row),
  etag: etagOf(versionOfPart(row, 'settings')),
});

/** @param publicUrl of the platform, where the pictures of a brand are */
export const toPortalConfigReply = (
  row: WorkspaceRow,
  publicUrl: string,
): identity.PortalConfig => {
  const { _id, name, slug, portal, brand } = row;
  const { login_mode, ...shown } = portalOf(portal, portalFromBrand(brand, publicUrl));
  const { name: workspace_name, imprint_url } = brandOf(brand);
  return {
    config: {
      workspace_id: _id,
      workspace_name: workspace_name ?? name,
      workspace_slug: slug,
      ...shown,
      ...(imprint_url === null ? {} : { imprint_url }),
    },
    login_mode,
    etag: etagOf(versionOfPart(row, 'portal')),
  };
};

export const toWorkspaceSummaryReply = ({
  _id,
  name,
  slug,
}: WorkspaceRow): identity.WorkspaceSummary => ({
  id: _id,
  name,
  slug,
});

export const toBrandReply = (row: WorkspaceRow): identity.Brand => ({
  ...brandOf(row.brand),
  etag: etagOf(versionOfPart(row, 'brand')),
});

export const toSettingsReply = (row: WorkspaceRow): identity.Settings => {
  const { _id, settings } = row;
  return {
    id: settings.id,
    workspace_id: _id,
    default_currency: settings.default_currency,
    default_locale: settings.default_locale,
    timezone: timezoneOf(settings.timezone),
    ...(settings.reply_to === undefined ? {} : { reply_to: settings.reply_to }),
    date_created: iso(settings.created_at),
    date_updated: iso(settings.updated_at),
    etag: etagOf(versionOfPart(row, 'settings')),
  };
};

export const toMemberReply = (row: MemberRow, user: UserRow): identity.Member => ({
  id: row.user_id,
  email: user.email,
  first_name: user.first_name,
  last_name: user.last_name,
  role: row.role,
  status: row.status,
  joined_at: iso(row.joined_at),
  last_active: isoOrNull(row.last_active_at),
});

export const toInvitationReply = (
  row: InvitationRow,
  {
    inviter,
    workspaceName,
    now,
  }: { inviter: UserRow | undefined; workspaceName: string; now: Date },
): identity.Invitation => ({
  id: row._id,
  email: row.email,
  invitation_token: row.token,
  role: row.role,
  status: row.status === 'pending' && row.expires_at <= now ? 'expired' : row.status,
  date_created: iso(row.created_at),
  expires_at: iso(row.expires_at),
  inviter_name: inviter ? displayName(inviter) : null,
  workspace_name: workspaceName,
});

export const toMobileUserReply = (row: MobileUserRow): identity.MobileUser => ({
  id: row._id,
  workspace_id: row.workspace_id,
  email: row.email,
  phone: row.phone,
  first_name: row.first_name,
  last_name: row.last_name,
  status: row.status,
  linked_user_id: row.linked_user_id ?? null,
  paired_at: isoOrNull(row.paired_at),
  last_login: isoOrNull(row.last_login_at),
  metadata: row.metadata,
  date_created: iso(row.created_at),
});

/** Where it stands alone: with the tag of its version. */
export const toVersionedMobileUserReply = (row: MobileUserRow): identity.MobileUser => ({
  ...toMobileUserReply(row),
  etag: etagOf(versionOfMobileUser(row)),
});

export const toMobileSessionReply = (row: MobileSessionRow): identity.MobileSession => ({
  id: row._id,
  mobile_app_user_id: row.mobile_user_id,
  workspace_id: row.workspace_id,
  device_name: row.device_name,
  device_os: row.device_os,
  last_active_at: iso(row.last_active_at),
  expires_at: iso(row.expires_at),
  revoked_at: isoOrNull(row.revoked_at),
});

export const toAuditEntryReply = (row: AuditRow): identity.AuditEntry => ({
  id: row._id,
  actor: row.actor,
  action: row.action,
  entity: row.entity,
  entity_id: row.entity_id,
  request_id: row.request_id,
  at: iso(row.at),
  changes: row.changes,
  values: row.values ?? [],
  client_id: row.client_id ?? null,
});

/** A mail as its owner changes it: the words that it has now, the platform's, and what they may name. */
export function toMailReply(
  kind: ShopMailKind,
  language: Language,
  own: { words: MailText; updated_at: Date } | null,
): identity.ShopMail {
  const usual = defaultMailText(kind, language);
  return {
    kind,
    language,
    words: own?.words ?? usual,
    default_words: usual,
    is_own: own !== null,
    date_updated: own?.updated_at.toISOString() ?? null,
    placeholders: placeholdersOf(kind).map(({ name, sample, isRequired = false }) => ({
      name,
      sample,
      is_required: isRequired,
    })),
  };
}

/** The same with the version of its words. */
export function toVersionedMailReply(
  { kind, language }: MailName,
  row: MailTextState,
): identity.ShopMail {
  return { ...toMailReply(kind, language, row), etag: etagOf(versionOfWords(row)) };
}
