import type {
  ClientsCreateBody,
  ReferralProgram,
  ReferralsGetForClientResult,
  ReferralsSetProgramBody,
} from '@laurel/client';
import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import { createRpcClient, type RpcClient, type referrals } from '@laurel/rpc';
import type { Caller, Reply } from './api';
import { expectStatus, newClient } from './factories';

export const PROGRAM = { enabled: true, completion_criteria: 'first_transaction' } as const;
export const NO_REFERRALS = { pending: 0, completed: 0, expired: 0, cancelled: 0 };

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

export const member = (workspace: Caller, overrides: ClientsCreateBody = {}) =>
  newClient(workspace, { loyalty_program_enabled: true, ...overrides });

export const programIn = (
  { laurel }: Caller,
  overrides: Partial<ReferralsSetProgramBody> = {},
): Promise<ReferralProgram> => laurel.referrals.setProgram({ ...PROGRAM, ...overrides });

/** Of somebody who takes part: no other has a code. */
export const referralOf = ({ laurel }: Caller, clientId: string) =>
  laurel.referrals.getForClient(clientId) as Promise<
    ReferralsGetForClientResult & { code: string; share_url: string }
  >;

export const stats = ({ laurel }: Caller) => laurel.referrals.getStats();

/** A referral between two new clients, made as the enrollment form makes it. */
export async function pending(workspace: Caller, referrer?: { id: string }) {
  const brought = await newClient(workspace, { first_name: 'Bea' });
  const by = referrer ?? (await member(workspace, { first_name: 'Ada', last_name: 'Lo' }));
  const { code } = await referralOf(workspace, by.id);
  const { outcome, referral_id: id } = await enroll(workspace, code, brought.id);
  if (outcome !== 'applied') throw new Error(`expected a referral, got ${outcome}`);
  return { id: id!, referrer: by, referee: brought, code };
}

export function expectRefusal(reply: Reply, status: number, code: string, field?: string) {
  expectStatus(reply, status);
  const [error] = reply.body.errors;
  expect(error.extensions.code).toBe(code);
  if (field !== undefined) expect(error.extensions.field).toBe(field);
}
