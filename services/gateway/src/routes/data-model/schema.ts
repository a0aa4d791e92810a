import { FIELD_TYPES } from '@laurel/contract';
import { Joi, memberName, oneLine, uuid } from '../../schema/types';

const fieldType = Joi.string().valid(...FIELD_TYPES);
const fieldName = memberName(/^[a-z][a-z0-9_]{0,63}$/).messages({
  'string.pattern.base':
    '{{#label}} must begin with a letter and hold only a-z, 0-9 and _, at most 64 characters',
});
const options = Joi.array().items(oneLine(255, 1)).max(500);
const sortOrder = Joi.number().integer().min(0).max(1_000_000);

interface FieldBody {
  field_label?: string;
  is_required?: boolean;
  sort_order?: number;
  options?: string[];
}

const described = {
  field_label: oneLine(255, 1),
  is_required: Joi.boolean(),
  sort_order: sortOrder,
  options,
};

export const createField = Joi.object<FieldBody & { field_name: string; field_type: string }>({
  ...described,
  field_name: fieldName.required(),
  field_type: fieldType.required(),
});

export const updateField = Joi.object<FieldBody & { field_name?: string; field_type?: string }>({
  ...described,
  field_name: fieldName,
  field_type: fieldType,
});

export const field = Joi.object({
  id: uuid().required(),
  field_name: Joi.string().required(),
  field_label: Joi.string().required(),
  field_type: fieldType.required(),
  is_required: Joi.boolean().required(),
  is_system: Joi.boolean().required(),
  sort_order: Joi.number().integer().required(),
  options: Joi.array().items(Joi.string()).required(),
}).meta({ name: 'CustomField' });
export const fields = Joi.array().items(field);
