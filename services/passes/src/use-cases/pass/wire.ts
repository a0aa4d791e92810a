import type { Json } from '@laurel/errors';
import { withoutMissingKey } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { PassLinks } from '../../domain/pass/links';
import type { Pass } from '../../domain/pass/pass';
import type { Project } from '../../domain/project/project';
import type { Template } from '../../domain/template/template';
import type { PassCounts } from '../../store/pass-lists';

export function toProjectReply({
  revision: _revision,
  changed_at: _changedAt,
  ...project
}: Project): api.Project {
  return { ...withoutMissingKey(project), date_created: project.date_created.toISOString() };
}

/** `counts` are left out where the caller does not look at them: counting walks over the passes of the template. */
export function toTemplateReply(template: Template, counts?: PassCounts): api.Template {
  const {
    id,
    workspace_id,
    project_id,
    user_created,
    user_updated,
    date_created,
    date_updated,
    migrating_to: _migrating,
    migrated: _migrated,
    revision: _revision,
    ...fields
  } = template;
  return {
    id,
    uuid: id,
    workspace_id,
    project_id,
    fields: withoutMissingKey(fields) as unknown as api.TemplateFields,
    ...(counts ? { statistics: toStatistics(counts) } : {}),
    date_created: date_created.toISOString(),
    date_updated: date_updated.toISOString(),
    user_created,
    user_updated,
  };
}

function toStatistics({ total, apple, google }: PassCounts): api.TemplateStatistics {
  return { passes: total, apple, google };
}

/** `computed_metrics` of a pass: figures of its client over all time. */
export interface PassMetrics {
  transaction_count: number;
  total_spending: number;
}

export function toPassReply(links: PassLinks, pass: Pass, metrics?: PassMetrics): api.Pass {
  const {
    revision: _revision,
    on_apple: _apple,
    on_google: _google,
    tier_template: _tier,
    tier_field: _field,
    barcode_given: _given,
    expiry_given: _expiry,
    barcode_spare: _spare,
    retired: _retired,
    link_generation: _generation,
    handed_out: _handed,
    safe_generation: _safe,
    held_since: _since,
    notification_fields: _fields,
    notification_count: _count,
    notification_repeat: _repeat,
    notification_queue: _queue,
    notification_shown: _shown,
    ...columns
  } = pass;
  return {
    ...columns,
    pass_fields: columns.pass_fields as Json,
    computed_metrics: { ...metrics },
    expires_at: columns.expires_at?.toISOString() ?? null,
    template_expires_at: columns.template_expires_at?.toISOString() ?? null,
    date_created: columns.date_created.toISOString(),
    date_updated: columns.date_updated.toISOString(),
    ...links.urlsOf(pass),
  };
}
