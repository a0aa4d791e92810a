import { randomUUID } from 'node:crypto';
import type {
  Pass,
  PassesCreateBody,
  PassTemplatesCreateBody,
  ProjectsCreateBody,
} from '@laurel/client';
import type { Caller } from './api';

const projects = new Map<string, Promise<string>>();

/** A project of the workspace, the same for everybody who needs one. */
export function projectOf(workspace: Caller): Promise<string> {
  const known = projects.get(workspace.workspaceId) ?? newProject(workspace);
  projects.set(workspace.workspaceId, known);
  return known;
}

export async function newProject(
  { laurel }: Caller,
  overrides: Partial<ProjectsCreateBody> = {},
): Promise<string> {
  return (await laurel.projects.create({ name: 'Coffee Corner', ...overrides })).id;
}

export async function newTemplate(
  workspace: Caller,
  overrides: Partial<PassTemplatesCreateBody> = {},
) {
  const project_id = await projectOf(workspace);
  const body = { project_id, name: `Card ${randomUUID()}`, ...overrides };
  return workspace.laurel.passTemplates.create(body);
}

/** A pass on a template of its own, because a client has one per template. */
export async function newPass(workspace: Caller, clientId: string | null): Promise<string> {
  return (await passOn(workspace, await newTemplate(workspace), { client_id: clientId })).id;
}

/** What a holder has in hands: every card of these tests has a barcode, and links to fetch it by. */
export type IssuedPass = Pass & {
  barcode_value: string;
  apple_pass_url: string;
  apple_qrcode_url: string;
  google_pass_url: string;
  google_qrcode_url: string;
};

export const passOn = (
  { laurel }: Caller,
  { id: pass_template_id, project_id }: { id: string; project_id: string },
  overrides: Partial<PassesCreateBody> = {},
) => laurel.passes.create({ project_id, pass_template_id, ...overrides }) as Promise<IssuedPass>;
