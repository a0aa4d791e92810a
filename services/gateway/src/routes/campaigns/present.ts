import type { campaigns as api } from '@laurel/rpc';
import { fromMoment } from '../../schema/types';
import type { CampaignBody } from './schema';

type Fields = Omit<api.UpdateCampaignRequest, 'workspace_id' | 'id'>;

/** The fields as the service takes them: exact moments, and an empty list where there is to be none. */
export function toFields({
  scheduled_at: at,
  manual_client_ids,
  ...body
}: Partial<CampaignBody>): Fields {
  return {
    ...body,
    ...(at === undefined ? {} : { scheduled_at: at === null ? null : fromMoment(at)! }),
    ...(manual_client_ids === undefined ? {} : { manual_client_ids: manual_client_ids ?? [] }),
  };
}

/** What part 2 names of an error; where the member stands is seen in the audience. */
export function presentError({
  project_id: _projectId,
  pass_template_id: _templateId,
  outcomes: _outcomes,
  ...member
}: api.Member) {
  return member;
}

export async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
