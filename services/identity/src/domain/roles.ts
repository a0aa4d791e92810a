import { createHash } from 'node:crypto';

export type RoleName = 'admin' | 'member';

export interface Role {
  id: string;
  name: RoleName;
  permissions: string[];
}

const EVERYONE = [
  'manage_clients',
  'manage_loyalty',
  'manage_projects',
  'manage_templates',
  'manage_passes',
  'manage_segments',
  'manage_campaigns',
  'manage_automations',
  'manage_integrations',
  'manage_mobile_app',
];
const ADMINS_ONLY = [
  'invite_users',
  'manage_members',
  'remove_members',
  'manage_settings',
  'manage_workspace',
  'read_audit_log',
];

const PERMISSIONS: Record<RoleName, readonly string[]> = {
  admin: [...ADMINS_ONLY, ...EVERYONE],
  member: EVERYONE,
};

/** A role as a workspace knows it. Its id follows from workspace and name, so it never changes (part 3, section 2). */
export function roleOf(workspaceId: string, name: RoleName): Role {
  return { id: roleId(workspaceId, name), name, permissions: [...PERMISSIONS[name]] };
}

export function rolesOf(workspaceId: string): Role[] {
  return [roleOf(workspaceId, 'admin'), roleOf(workspaceId, 'member')];
}

/** A name-based UUID (version 8, RFC 9562: SHA-256 of a name of our own). */
function roleId(workspaceId: string, name: RoleName): string {
  const bytes = createHash('sha256').update(`laurel:role:${workspaceId}:${name}`).digest();
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex').slice(0, 32);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
