import type { Handlers } from '@laurel/rpc';
import type { Deps } from './deps';
import { acceptInvitation } from './use-cases/accept-invitation';
import { addMember } from './use-cases/add-member';
import { advanceClock } from './use-cases/advance-clock';
import { changeMemberRole } from './use-cases/change-member-role';
import { cloneWorkspace, getClone } from './use-cases/clone-workspace';
import { createMobileUser, createMobileUserFromMember } from './use-cases/create-mobile-user';
import { createWorkspace } from './use-cases/create-workspace';
import { deleteMobileUser } from './use-cases/delete-mobile-user';
import { deleteWorkspace } from './use-cases/delete-workspace';
import { endPortalSession, resolvePortalSession } from './use-cases/end-portal-session';
import { findInvitation, workspaceOfInvitation } from './use-cases/find-invitation';
import { getAuthOptions } from './use-cases/get-auth-options';
import { getClock } from './use-cases/get-clock';
import { getMail } from './use-cases/get-mail';
import { getMailWriter } from './use-cases/get-mail-writer';
import { getMe } from './use-cases/get-me';
import { getMemberRole } from './use-cases/get-member-role';
import { getUser } from './use-cases/get-user';
import {
  findWorkspaceBySlug,
  getSettings,
  getWorkspace,
  listRoles,
} from './use-cases/get-workspace';
import { hasApiToken } from './use-cases/has-api-token';
import { invite, resendInvitation } from './use-cases/invite';
import { listAuditLog } from './use-cases/list-audit-log';
import { listInvitations, listMyInvitations } from './use-cases/list-invitations';
import { listMails } from './use-cases/list-mails';
import { listMembers } from './use-cases/list-members';
import { listWorkspaces } from './use-cases/list-workspaces';
import { login, openPageSession } from './use-cases/login';
import { logout } from './use-cases/logout';
import { logoutMobile } from './use-cases/logout-mobile';
import { createNamedToken, listNamedTokens, revokeNamedToken } from './use-cases/named-tokens';
import { confirmDownload, openDownload, takeDownload } from './use-cases/open-download';
import { openPortalSession } from './use-cases/open-portal-session';
import { pairMobile, pairMobilePage } from './use-cases/pair-mobile';
import { previewMail } from './use-cases/preview-mail';
import { getProgramme, listProgrammes, putProgramme } from './use-cases/programmes';
import { getBrand, putBrand } from './use-cases/put-brand';
import { putMailWords, resetMailWords } from './use-cases/put-mail-words';
import { putMobileAppAccess } from './use-cases/put-mobile-app-access';
import { putPortalConfig } from './use-cases/put-portal-config';
import {
  getMobileUser,
  listLinkableUsers,
  listMobileSessions,
  listMobileUsers,
} from './use-cases/read-mobile-users';
import { findPortal, getPortalConfig, resolvePortal } from './use-cases/read-portal';
import { recordAudits } from './use-cases/record-audits';
import { refresh, refreshPageSession } from './use-cases/refresh';
import { refreshMobile, refreshMobilePage } from './use-cases/refresh-mobile';
import { regenerateApiToken } from './use-cases/regenerate-api-token';
import { register } from './use-cases/register';
import { removeMember } from './use-cases/remove-member';
import { requestPasswordReset } from './use-cases/request-password-reset';
import { requestPortalCode } from './use-cases/request-portal-code';
import { resendVerification } from './use-cases/resend-verification';
import { resetPassword } from './use-cases/reset-password';
import {
  resolveApiToken,
  resolveMembership,
  resolveNamedToken,
  resolveSession,
} from './use-cases/resolve';
import { getMobileMe, resolveMobileSession } from './use-cases/resolve-mobile-session';
import { revokeApiToken } from './use-cases/revoke-api-token';
import { revokeInvitation } from './use-cases/revoke-invitation';
import { revokeMobileSession } from './use-cases/revoke-mobile-session';
import { sendPairingCode } from './use-cases/send-pairing-code';
import { signOn } from './use-cases/sign-on';
import { updateMobileUser } from './use-cases/update-mobile-user';
import { updateSettings } from './use-cases/update-settings';
import { updateUser } from './use-cases/update-user';
import { updateWorkspace } from './use-cases/update-workspace';
import { endUserSession, endUserSessions, listUserSessions } from './use-cases/user-sessions';
import { verifyEmail } from './use-cases/verify-email';
import { verifyPortalCode } from './use-cases/verify-portal-code';

/** Which use case answers which rpc. */
export const rpcHandlers = (deps: Deps): Handlers<'identity'> => ({
  ...accountHandlers(deps),
  ...workspaceHandlers(deps),
  ...memberHandlers(deps),
  ...mobileHandlers(deps),
  ...portalHandlers(deps),
  ...letterHandlers(deps),
});

const accountHandlers = (deps: Deps) =>
  ({
    ResolveSession: (request) => resolveSession(deps, request),
    ResolveApiToken: (request) => resolveApiToken(deps, request),
    ResolveNamedToken: (request) => resolveNamedToken(deps, request),
    ResolveMembership: (request) => resolveMembership(deps, request),
    ResolveMobileSession: (request) => resolveMobileSession(deps, request),

    Register: (request) => register(deps, request),
    Login: (request) => login(deps, request),
    Refresh: (request) => refresh(deps, request),
    Logout: (request) => logout(deps, request),
    OpenPageSession: (request) => openPageSession(deps, request),
    RefreshPageSession: (request) => refreshPageSession(deps, request),
    GetAuthOptions: () => getAuthOptions(deps),
    OpenDownload: (request) => openDownload(deps, request),
    TakeDownload: (request) => takeDownload(deps, request),
    ConfirmDownload: (request) => confirmDownload(deps, request),
    RequestPasswordReset: (request) => requestPasswordReset(deps, request),
    ResetPassword: (request) => resetPassword(deps, request),
    SignOn: (request) => signOn(deps, request),
    VerifyEmail: (request) => verifyEmail(deps, request),
    ResendVerification: (request) => resendVerification(deps, request),

    GetUser: (request) => getUser(deps, request),
    UpdateUser: (request) => updateUser(deps, request),
    HasApiToken: (request) => hasApiToken(deps, request),
    RegenerateApiToken: (request) => regenerateApiToken(deps, request),
    RevokeApiToken: (request) => revokeApiToken(deps, request),
    ListNamedTokens: (request) => listNamedTokens(deps, request),
    CreateNamedToken: (request) => createNamedToken(deps, request),
    RevokeNamedToken: (request) => revokeNamedToken(deps, request),

    GetMe: (request) => getMe(deps, request),
    ListUserSessions: (request) => listUserSessions(deps, request),
    EndUserSession: (request) => endUserSession(deps, request),
    EndUserSessions: (request) => endUserSessions(deps, request),
  }) satisfies Partial<Handlers<'identity'>>;

const workspaceHandlers = (deps: Deps) =>
  ({
    ListWorkspaces: (request) => listWorkspaces(deps, request),
    CreateWorkspace: (request) => createWorkspace(deps, request),
    GetWorkspace: (request) => getWorkspace(deps, request),
    FindWorkspaceBySlug: (request) => findWorkspaceBySlug(deps, request),
    UpdateWorkspace: (request) => updateWorkspace(deps, request),
    DeleteWorkspace: (request) => deleteWorkspace(deps, request),
    GetClock: (request) => getClock(deps, request),
    AdvanceClock: (request) => advanceClock(deps, request),
    CloneWorkspace: (request) => cloneWorkspace(deps, request),
    GetClone: (request) => getClone(deps, request),
    ListRoles: (request) => listRoles(deps, request),
    GetSettings: (request) => getSettings(deps, request),
    UpdateSettings: (request) => updateSettings(deps, request),

    RecordAudits: (request) => recordAudits(deps, request),
    ListAuditLog: (request) => listAuditLog(deps, request),
  }) satisfies Partial<Handlers<'identity'>>;

const memberHandlers = (deps: Deps) =>
  ({
    ListMembers: (request) => listMembers(deps, request),
    AddMember: (request) => addMember(deps, request),
    RemoveMember: (request) => removeMember(deps, request),
    ChangeMemberRole: (request) => changeMemberRole(deps, request),
    GetMemberRole: (request) => getMemberRole(deps, request),

    Invite: (request) => invite(deps, request),
    ListInvitations: (request) => listInvitations(deps, request),
    FindInvitation: (request) => findInvitation(deps, request),
    AcceptInvitation: (request) => acceptInvitation(deps, request),
    ListMyInvitations: (request) => listMyInvitations(deps, request),
    WorkspaceOfInvitation: (request) => workspaceOfInvitation(deps, request),
    RevokeInvitation: (request) => revokeInvitation(deps, request),
    ResendInvitation: (request) => resendInvitation(deps, request),
  }) satisfies Partial<Handlers<'identity'>>;

const mobileHandlers = (deps: Deps) =>
  ({
    ListMobileUsers: (request) => listMobileUsers(deps, request),
    CreateMobileUser: (request) => createMobileUser(deps, request),
    GetMobileUser: (request) => getMobileUser(deps, request),
    UpdateMobileUser: (request) => updateMobileUser(deps, request),
    DeleteMobileUser: (request) => deleteMobileUser(deps, request),
    SendPairingCode: (request) => sendPairingCode(deps, request),
    ListMobileSessions: (request) => listMobileSessions(deps, request),
    RevokeMobileSession: (request) => revokeMobileSession(deps, request),
    CreateMobileUserFromMember: (request) => createMobileUserFromMember(deps, request),
    ListLinkableUsers: (request) => listLinkableUsers(deps, request),

    PairMobile: (request) => pairMobile(deps, request),
    RefreshMobile: (request) => refreshMobile(deps, request),
    PairMobilePage: (request) => pairMobilePage(deps, request),
    RefreshMobilePage: (request) => refreshMobilePage(deps, request),
    LogoutMobile: (request) => logoutMobile(deps, request),
    GetMobileMe: (request) => getMobileMe(deps, request),
    PutMobileAppAccess: (request) => putMobileAppAccess(deps, request),
  }) satisfies Partial<Handlers<'identity'>>;

const portalHandlers = (deps: Deps) =>
  ({
    GetPortalConfig: (request) => getPortalConfig(deps, request),
    PutPortalConfig: (request) => putPortalConfig(deps, request),
    FindPortal: (request) => findPortal(deps, request),
    ResolvePortal: (request) => resolvePortal(deps, request),
    ResolvePortalSession: (request) => resolvePortalSession(deps, request),
    EndPortalSession: (request) => endPortalSession(deps, request),
    OpenPortalSession: (request) => openPortalSession(deps, request),
    RequestPortalCode: (request) => requestPortalCode(deps, request),
    VerifyPortalCode: (request) => verifyPortalCode(deps, request),
  }) satisfies Partial<Handlers<'identity'>>;

const letterHandlers = (deps: Deps) =>
  ({
    GetBrand: (request) => getBrand(deps, request),
    PutBrand: (request) => putBrand(deps, request),
    ListMails: (request) => listMails(deps, request),
    GetMail: (request) => getMail(deps, request),
    PutMailWords: (request) => putMailWords(deps, request),
    ResetMailWords: (request) => resetMailWords(deps, request),
    PreviewMail: (request) => previewMail(deps, request),
    ListProgrammes: (request) => listProgrammes(deps, request),
    GetProgramme: (request) => getProgramme(deps, request),
    PutProgramme: (request) => putProgramme(deps, request),
    ChangeProgramme: (request) => putProgramme(deps, request),
    GetMailWriter: (request) => getMailWriter(deps, request),
  }) satisfies Partial<Handlers<'identity'>>;
