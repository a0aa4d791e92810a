import type { Json, JsonObject } from '@laurel/errors';
import type { passes as api } from '@laurel/rpc';
import type { ProjectBody } from './schema';

/** A project with its free members beside the rest. */
export function presentProject({ extra, ...project }: api.Project) {
  return { ...(extra as JsonObject), ...project };
}

/** What of a body is the workspace's own choice; `workspace_id` is ignored (part 2, Projects). */
export function toProjectRequest({ key, name, workspace_id: _workspace, ...extra }: ProjectBody) {
  return { key, name, extra: extra as Json };
}
