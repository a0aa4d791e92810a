import type { passes as api } from '@laurel/rpc';
import type { DistributionChanges } from '../../domain/distribution/distribution';

/** The fields of a request that are there. */
export function distributionFieldsOf(
  request: api.CreateDistributionRequest | api.UpdateDistributionRequest,
): DistributionChanges {
  const fields = {
    key: request.key,
    project_id: request.project_id,
    pass_template_id: request.pass_template_id,
    name: request.name,
    delivery_mode: request.delivery_mode,
    status: request.status,
    form_fields_config: request.form_fields_config?.fields,
    require_marketing_consent: request.require_marketing_consent,
    allowed_origins: request.allowed_origins,
    page_enabled: request.page_enabled,
    privacy_url: request.privacy_url,
    terms_url: request.terms_url,
    starts_at: dateOf(request.starts_at),
    ends_at: dateOf(request.ends_at),
    submission_limit: request.submission_limit,
  };
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as DistributionChanges;
}

const dateOf = (moment: string | null | undefined) =>
  moment === null || moment === undefined ? moment : new Date(moment);
