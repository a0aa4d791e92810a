import type { Belongings, EnrollmentDeps } from '../../deps';
import { deleteDistributionsOf } from './delete-distribution';

/** Distributions go with their project, and keep their template from being deleted. */
export const distributionBelongings = (
  deps: Pick<EnrollmentDeps, 'distributions' | 'submissions' | 'outbox'>,
): Belongings => ({
  usersOfTemplate: async (workspaceId, templateId, session) => {
    const giving = await deps.distributions.namesOn(workspaceId, templateId, session);
    return giving.map(({ id, name }) => ({ type: 'distribution', id, name }));
  },
  moveToTemplate: deps.distributions.moveToTemplate,
  removeOfProject: (workspaceId, projectId, session) =>
    deleteDistributionsOf(deps, { workspaceId, projectId }, session),
  fieldsAsked: async (workspaceId) =>
    (await deps.distributions.list(workspaceId)).flatMap(({ form_fields_config }) =>
      form_fields_config.map(({ name }) => name.replace(/^custom_fields\./, '')),
    ),
});
