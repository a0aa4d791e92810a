import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import { createRpcClient, type RpcClient, type referrals } from '@laurel/rpc';
import type { Caller } from './api';

let client: RpcClient<'referrals'> | undefined;

function referralsService(): RpcClient<'referrals'> {
  const target = process.env.REFERRALS_GRPC_TARGET;
  if (!target)
    throw new Error('REFERRALS_GRPC_TARGET is not set: run the end-to-end tests with npm test');
  client ??= createRpcClient('referrals', { target });
  return client;
}

/** Enters a code for a client, as an enrollment form that was just sent does. */
export function enroll(
  workspace: Caller,
  code: string,
  clientId: string,
): Promise<referrals.Attribution> {
  return runInContext(systemContext({ operationId: newId() }), () =>
    referralsService().Attribute({
      workspace_id: workspace.workspaceId,
      code,
      referee_client_id: clientId,
      already_enrolled: false,
    }),
  );
}

export function closeEnrollment(): void {
  client?.close();
}
