import type { passes as api } from '@laurel/rpc';
import { fromMoment } from '../../schema/types';
import type { DistributionBody } from './schema';

/** Only a select has options. */
export function presentFormFields(fields: readonly api.FormField[]) {
  return fields.map(({ options, ...field }) =>
    options.length === 0 ? field : { ...field, options },
  );
}

export function presentDistribution({ form_fields_config, ...distribution }: api.Distribution) {
  return { ...distribution, form_fields_config: presentFormFields(form_fields_config) };
}

/** A body as the service takes it; the path says which workspace it is of. */
export function toDistributionRequest<Body extends DistributionBody>({
  form_fields_config: asked,
  workspace_id: _workspace,
  ...rest
}: Body) {
  const fields = {
    ...rest,
    starts_at: inUtc(rest.starts_at),
    ends_at: inUtc(rest.ends_at),
  };
  if (asked === undefined) return fields;
  const form = asked.map((field) => ({ options: [], ...field }));
  return { ...fields, form_fields_config: { fields: form } };
}

/** A time without a zone is meant in UTC. */
const inUtc = (moment: string | null | undefined) => (moment ? fromMoment(moment) : moment);
