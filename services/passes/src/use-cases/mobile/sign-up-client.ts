import { customFieldPath } from '@laurel/contract';
import { invalidPayload, type JsonObject } from '@laurel/errors';
import { currentContext, keptOperation, runInContext, stableId } from '@laurel/lifecycle';
import { holdKey } from '@laurel/mongo';
import type { passes as api, clients } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import { isHidden } from '../../domain/mobile/hiding';
import { type AppConfig, reaches } from '../../domain/mobile/mobile-app';
import type { Template } from '../../domain/template/template';
import { refusals } from '../../refusals';
import { makePass } from '../pass/create-pass';
import { offeredLinks } from '../pass/offered-links';
import { SOURCE } from './execute/task';
import { openApp } from './open-app';
import { getMobilePass } from './read-mobile-passes';

const COLUMNS = ['first_name', 'last_name', 'email', 'phone', 'birth_date'] as const;

/**
 * Signs somebody up at the counter: a loyalty member with the card of the shop, and the links by which their phone takes
 * it. Client and pass are each made under a name of this operation's own, so that a repeat goes on where it broke off.
 *
 * @throws the refusals of clients, such as an address that is taken; 409 where the app hands out no card
 */
export async function signUpClient(
  deps: MobileDeps,
  request: api.MobileSignUpRequest,
): Promise<api.MobileSignUp> {
  const { workspace_id, role_id, pass_template_id: wanted } = request;
  const config = await openApp(deps, request);
  requireOpenFields(config, request);
  const template = await cardOf(deps, { workspace_id, config, wanted });
  await holdKey(deps.connection);
  const client = await inStep('client', () => deps.clients.CreateClient(newMember(request)));
  const { id: pass_template_id, project_id } = template;
  const made = { workspace_id, project_id, pass_template_id, client_id: client.id };
  const { id: pass_id } = await inStep('pass', () => makePass(deps, made));
  const [pass, kept] = await Promise.all([
    getMobilePass(deps, { workspace_id, role_id, pass_id }),
    deps.passes.find(workspace_id, pass_id),
  ]);
  if (!kept) throw refusals.passNotFound();
  return { pass, ...(await offeredLinks(deps, workspace_id, kept)) };
}

/** A repeat of the call has the same names, and is answered as the first time. */
function inStep<T>(step: string, work: () => Promise<T>): Promise<T> {
  const operationId = stableId(`sign-up:${currentContext().operationId}:${step}`);
  return runInContext(keptOperation(operationId), work);
}

/** What the workspace keeps from staff they do not write either. */
function requireOpenFields(config: AppConfig | null, request: api.MobileSignUpRequest): void {
  const custom = Object.keys((request.custom_fields ?? {}) as JsonObject);
  const sent = COLUMNS.filter((name) => request[name] !== undefined && request[name] !== null);
  const problems = [...sent, ...custom.map(customFieldPath)]
    .filter((field) => isHidden(config?.hidden_fields, field))
    .map((field) => ({ field, message: `${field} cannot be written in the app` }));
  if (problems.length > 0) throw invalidPayload(problems);
}

/** The card that was named; else the first that was designed for everybody. Cards of one tier are reached by climbing. */
async function cardOf(
  { templates }: Pick<MobileDeps, 'templates'>,
  {
    workspace_id,
    config,
    wanted,
  }: { workspace_id: string; config: AppConfig | null; wanted: string | undefined },
): Promise<Template> {
  const within = (await templates.list(workspace_id)).filter(({ project_id }) =>
    reaches(config, project_id),
  );
  if (wanted !== undefined) {
    const named = within.find(({ id }) => id === wanted);
    if (!named) throw refusals.unknownPassTemplate({ field: 'pass_template_id' });
    return named;
  }
  const first = within.findLast((card) => card.pass_type === 'LOYALTY' && card.tier_id === null);
  if (!first) throw refusals.noCardToHandOut();
  return first;
}

function newMember(request: api.MobileSignUpRequest): clients.CreateClientRequest {
  const { role_id: _role, pass_template_id: _card, ...person } = request;
  return { ...person, source: SOURCE, consent_source: SOURCE, loyalty_program_enabled: true };
}
