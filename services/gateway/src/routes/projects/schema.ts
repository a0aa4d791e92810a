import {
  anyJsonObject,
  Joi,
  nullable,
  oneLine,
  page,
  programmeKey,
  shownKey,
  timestamp,
  uuid,
} from '../../schema/types';

const NAME_MAX = 255;

/** Keys beyond these are kept and given back as they came (part 2, Projects: "other fields spread"). */
export interface ProjectBody {
  key?: string | null;
  name?: string;
  [key: string]: unknown;
}

const fields = { key: programmeKey(), name: oneLine(NAME_MAX, 1), workspace_id: Joi.any() };

export const createProject = anyJsonObject().keys({
  ...fields,
  name: fields.name.required(),
}) as Joi.ObjectSchema<ProjectBody & { name: string }>;
export const updateProject = anyJsonObject().keys(fields) as Joi.ObjectSchema<ProjectBody>;

export const project = Joi.object({
  id: uuid().required(),
  key: shownKey(),
  name: Joi.string().required(),
  workspace_id: uuid().required(),
  date_created: timestamp().required(),
  user_created: nullable(uuid()).required(),
  user_updated: nullable(uuid()).required(),
})
  .unknown(true)
  .meta({ name: 'Project' });
export const projects = Joi.array().items(project);

export const projectStats = Joi.object({
  templateCount: Joi.number().integer().required(),
  passCount: Joi.number().integer().required(),
});

export const listPasses = Joi.object<{ limit: number; offset?: number; cursor?: string }>(
  page({ limitMax: 1_000, limitDefault: 1_000, cursor: true }),
);
