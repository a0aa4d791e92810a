import Joi, { type ObjectSchema } from 'joi';
import { defineEvent, type EventDefinition } from './define';
import { id, nullableId, sample } from './fields';

/** Whose pass it is, and on which template: what other services keep of a pass. */
export interface PassChanged {
  pass_id: string;
  client_id: string | null;
  pass_template_id: string;
  project_id: string;
}

const schema: ObjectSchema<PassChanged> = Joi.object<PassChanged>({
  pass_id: id(),
  client_id: nullableId(),
  pass_template_id: id(),
  project_id: id(),
});
const example: PassChanged = {
  pass_id: sample.passId,
  client_id: sample.clientId,
  pass_template_id: sample.walletTypeId,
  project_id: sample.walletId,
};

function pass<const Type extends `passes.pass_${string}`>(
  type: Type,
  description: string,
): EventDefinition<Type, PassChanged> {
  const internal = { webhook: null, version: 1, source: 'passes' } as const;
  return defineEvent({ ...internal, type, description, schema, example });
}

/** The life of a pass; what happens on devices is told as pass_lifecycle.* by the trail. */
export const passEvents = [
  pass('passes.pass_created', 'A pass was created.'),
  pass('passes.pass_updated', 'A pass has another client or template.'),
  pass('passes.pass_deleted', 'A pass is gone.'),
] as const;
