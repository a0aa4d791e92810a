import type { passes as api } from '@laurel/rpc';
import type { DistributionChanges } from '../domain/distribution';

/** The fields of a request that are there. */
export function distributionFieldsOf(
  request: api.CreateDistributionRequest | api.UpdateDistributionRequest,
): DistributionChanges {
  const fields = {
    project_id: request.project_id,
    pass_template_id: request.pass_template_id,
    name: request.name,
    delivery_mode: request.delivery_mode,
    status: request.status,
    form_fields_config: request.form_fields_config?.fields,
    require_marketing_consent: request.require_marketing_consent,
    allowed_origins: request.allowed_origins,
    page_enabled: request.page_enabled,
  };
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as DistributionChanges;
}
