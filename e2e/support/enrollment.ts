import { randomUUID } from 'node:crypto';
import type { DistributionsCreateBody } from '@laurel/client';
import { type Caller, call, type Reply } from './api';
import { expectStatus, newWorkspace, type TestWorkspace, uniqueEmail } from './factories';
import { mailsTo, mailTo } from './mails';

export interface TestForm {
  workspace: TestWorkspace;
  projectId: string;
  templateId: string;
  id: string;
  token: string;
}

/** A project with one template. */
export async function newTemplate({ laurel }: Caller) {
  const { id: projectId } = await laurel.projects.create({ name: 'Coffee' });
  const template = await laurel.passTemplates.create({ name: 'Card', project_id: projectId });
  return { projectId, templateId: template.id };
}

/** One question of a form. */
export type FormField = NonNullable<DistributionsCreateBody['form_fields_config']>[number];

/** A distribution with a page and a token. */
export async function newForm(
  overrides: Partial<DistributionsCreateBody> = {},
  owner?: TestWorkspace,
): Promise<TestForm> {
  const workspace = owner ?? (await newWorkspace());
  const { projectId, templateId } = await newTemplate(workspace);
  const { id } = await workspace.laurel.distributions.create({
    project_id: projectId,
    pass_template_id: templateId,
    name: 'Counter',
    page_enabled: true,
    ...overrides,
  });
  return { workspace, projectId, templateId, id, token: await rotate(workspace, id) };
}

export async function rotate({ laurel }: Caller, id: string): Promise<string> {
  return (await laurel.distributions.rotateApiToken(id)).data.token;
}

export const answers = <Overrides extends object>(overrides: Overrides = {} as Overrides) => ({
  email: uniqueEmail('guest'),
  first_name: 'Bo',
  ...overrides,
});

/** Sends a form as a page of somebody else does. */
export function submit(
  { token }: { token: string },
  body: object,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return call('POST', `/embed/distribution/${token}/submit`, { body, headers });
}

/** Sends a form as the page of the distribution does. */
export function submitToPage(id: string, body: object): Promise<Reply> {
  return call('POST', '/distribution/submit', { body: { distribution_id: id, ...body } });
}

export const isKnown = async ({ laurel }: Caller, email: string): Promise<boolean> =>
  (await laurel.clients.list({ email })).data.length > 0;

/** The one who has the address; fails where there is none. */
export async function clientOf({ laurel }: Caller, email: string) {
  const [client] = (await laurel.clients.list({ email })).data;
  if (!client) throw new Error(`nobody has the address ${email}`);
  return client;
}

export const passesOf = ({ laurel }: Caller, clientId: string) =>
  laurel.passes.listForClient(clientId);

export const newKey = () => ({ 'Idempotency-Key': randomUUID() });

/** The token of the newest link to confirm a form that was mailed to somebody, once there are `count` mails. */
export async function confirmTokenFor(recipient: string, count = 1): Promise<string> {
  const mail = await mailTo(recipient, count);
  const token = /\/confirm\?token=3?D?([A-Za-z0-9_-]{43})/.exec(mail)?.[1];
  if (token === undefined) throw new Error(`no link to confirm in: ${mail}`);
  return token;
}

export const confirm = (token: unknown): Promise<Reply> =>
  call('POST', '/public/enrollment/confirm', { body: { token } });

/** Sends a form about somebody who is known, and does what their mail asks. */
export async function submitAndConfirm(form: { token: string }, body: { email: string }) {
  const before = (await mailsTo(body.email)).length;
  expectStatus(await submit(form, body), 200);
  return expectStatus(await confirm(await confirmTokenFor(body.email, before + 1)), 200).body;
}
