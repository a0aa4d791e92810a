import { randomUUID } from 'node:crypto';
import type { Caller } from './api';
import { expectStatus } from './factories';

const projects = new Map<string, Promise<string>>();

/** A project of the workspace, the same for everybody who needs one. */
export function projectOf(workspace: Caller): Promise<string> {
  const known = projects.get(workspace.workspaceId) ?? newProject(workspace);
  projects.set(workspace.workspaceId, known);
  return known;
}

export async function newProject(workspace: Caller, overrides: object = {}): Promise<string> {
  const body = { name: 'Coffee Corner', ...overrides };
  return expectStatus(await workspace.post(':ws/projects', body), 201).body.data.id;
}

export async function newTemplate(workspace: Caller, overrides: object = {}) {
  const project_id = await projectOf(workspace);
  const body = { project_id, name: `Card ${randomUUID()}`, ...overrides };
  return expectStatus(await workspace.post(':ws/pass-templates', body), 201).body.data;
}

/** A pass on a template of its own, because a client has one per template. */
export async function newPass(workspace: Caller, clientId: string | null): Promise<string> {
  return (await passOn(workspace, await newTemplate(workspace), { client_id: clientId })).id;
}

export async function passOn(
  workspace: Caller,
  template: { id: string; project_id: string },
  overrides: object = {},
) {
  const { id: pass_template_id, project_id } = template;
  const body = { project_id, pass_template_id, ...overrides };
  return expectStatus(await workspace.post(':ws/passes', body), 201).body.data;
}
