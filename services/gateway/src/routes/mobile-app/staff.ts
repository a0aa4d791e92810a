import type { Input } from '../../routing/route';

/** On whose behalf the app asks: the workspace of its session, and the role of who holds the device. */
export function staffOf({
  workspaceId,
  caller,
}: Pick<Input<string, unknown, unknown>, 'workspaceId' | 'caller'>) {
  return { workspace_id: workspaceId, role_id: caller.membership!.roleId! };
}

/** The same, and which device it is: what it did it may take back. */
export function deviceOf(input: Pick<Input<string, unknown, unknown>, 'workspaceId' | 'caller'>) {
  return { ...staffOf(input), session_id: input.caller.sessionId! };
}
