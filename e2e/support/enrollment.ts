import { randomUUID } from 'node:crypto';
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
export async function newTemplate(workspace: Caller) {
  const project = expectStatus(await workspace.post(':ws/projects', { name: 'Coffee' }), 201);
  const projectId = project.body.data.id as string;
  const body = { name: 'Card', project_id: projectId };
  const template = expectStatus(await workspace.post(':ws/pass-templates', body), 201);
  return { projectId, templateId: template.body.data.id as string };
}

/** A distribution with a page and a token. */
export async function newForm(overrides: object = {}, owner?: TestWorkspace): Promise<TestForm> {
  const workspace = owner ?? (await newWorkspace());
  const { projectId, templateId } = await newTemplate(workspace);
  const body = {
    project_id: projectId,
    pass_template_id: templateId,
    name: 'Counter',
    page_enabled: true,
    ...overrides,
  };
  const { id } = expectStatus(await workspace.post(':ws/distributions', body), 201).body.data;
  return { workspace, projectId, templateId, id, token: await rotate(workspace, id) };
}

export async function rotate(workspace: Caller, id: string): Promise<string> {
  const rotated = await workspace.post(`:ws/distributions/${id}/api-token/rotate`);
  return expectStatus(rotated, 200).body.data.token;
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

export async function clientOf(workspace: Caller, email: string) {
  const { data } = expectStatus(await workspace.get(':ws/clients', { email }), 200).body;
  return data[0];
}

export async function passesOf(workspace: Caller, clientId: string) {
  return expectStatus(await workspace.get(`:ws/clients/${clientId}/passes`), 200).body.data;
}

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
