import type { Json } from '@laurel/errors';
import type { passes as api } from '@laurel/rpc';
import type { Pass } from './domain/pass';
import type { Project } from './domain/project';
import type { Template } from './domain/template';
import type { PassLinks } from './links';
import type { PassCounts } from './store/passes';

export function toProjectReply({ revision: _revision, ...project }: Project): api.Project {
  return { ...project, date_created: project.date_created.toISOString() };
}

export function toTemplateReply(template: Template, { total, apple, google }: PassCounts) {
  const {
    id,
    workspace_id,
    project_id,
    user_created,
    user_updated,
    date_created,
    date_updated,
    revision: _revision,
    ...fields
  } = template;
  return {
    id,
    uuid: id,
    workspace_id,
    project_id,
    fields: fields as unknown as api.TemplateFields,
    statistics: { passes: total, apple, google },
    date_created: date_created.toISOString(),
    date_updated: date_updated.toISOString(),
    user_created,
    user_updated,
  } satisfies api.Template;
}

export function toPassReply(links: PassLinks, pass: Pass): api.Pass {
  const { revision: _revision, on_apple: _apple, on_google: _google, ...columns } = pass;
  return {
    ...columns,
    pass_fields: columns.pass_fields as Json,
    computed_metrics: {},
    template_expires_at: columns.template_expires_at?.toISOString() ?? null,
    date_created: columns.date_created.toISOString(),
    date_updated: columns.date_updated.toISOString(),
    ...links.urlsOf(pass.id),
  };
}
