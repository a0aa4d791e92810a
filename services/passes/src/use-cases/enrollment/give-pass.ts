import { Refusal } from '@laurel/errors';
import type { EnrollmentDeps } from '../../deps';
import type { Distribution } from '../../domain/distribution/distribution';
import type { EnrolledClient, Enrollment } from '../../domain/enrollment/enrollment';
import type { Pass } from '../../domain/pass/pass';
import { isOfTemplate } from '../../domain/pass/tier-sync';
import { makePass } from '../pass/create-pass';
import { inOperation } from './in-operation';
import { renewExpiredPass } from './renew-expired-pass';

type GivenPass = NonNullable<Enrollment['pass']>;

/**
 * The client's pass on the distribution's template: the one there is, renewed where it has expired and they confirmed; else a
 * new one.
 *
 * @throws 409 where the one there is has ended and stays so
 */
export async function givePass(
  deps: EnrollmentDeps,
  distribution: Distribution,
  { enrollment, client }: { enrollment: Enrollment; client: EnrolledClient },
): Promise<GivenPass> {
  if (enrollment.pass) return enrollment.pass;
  const { id, workspace_id: workspaceId } = enrollment;
  // Who came by this form has no pass but what it makes.
  if (client.known && !enrollment.makes_pass) {
    const found = await findPass(deps, distribution, client.id);
    if (found) {
      if (enrollment.confirms !== null) await renewExpiredPass(deps, distribution, found.id);
      return { id: found.id, existed: true };
    }
    await deps.enrollments.advance(workspaceId, id, { makes_pass: true });
  }
  const { project_id, pass_template_id } = distribution;
  const request = { workspace_id: workspaceId, project_id, pass_template_id, client_id: client.id };
  try {
    // Who has a number has proven no address: what they get ends with the first proof, as what the form gives at once does.
    const to = enrollment.confirms === null || enrollment.texted === true ? 'visitor' : 'proven';
    const made = await inOperation(enrollment, 'pass', () => makePass(deps, request, { to }));
    return { id: made.id, existed: false };
  } catch (error) {
    // Another enrollment of the same client was there first.
    const found = error instanceof Refusal ? await findPass(deps, distribution, client.id) : null;
    if (!found) throw error;
    return { id: found.id, existed: true };
  }
}

/** A pass that shows another template, for a while or for a tier, is still the one of its own. */
export async function findPass(
  { passes }: Pick<EnrollmentDeps, 'passes'>,
  { workspace_id, pass_template_id }: Distribution,
  clientId: string,
): Promise<Pass | undefined> {
  const own = await passes.listOfClients(workspace_id, [clientId]);
  return own.find((pass) => isOfTemplate(pass, pass_template_id));
}
