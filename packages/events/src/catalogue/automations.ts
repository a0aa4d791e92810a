import Joi from 'joi';
import { defineEvent } from './define';
import { count, id, name, nullableText, sample } from './fields';

/** Which run of which rule asks, and for whom. */
interface AskedByRule {
  automation_rule_id: string;
  automation_execution_id: string;
  client_id: string;
}
export interface PushRequested extends AskedByRule {
  title: string | null;
  /** As the workspace wrote it, template tokens and all. */
  body: string;
}
export interface TemplateSwitchRequested extends AskedByRule {
  template_id: string;
  /** null: for good. */
  duration_days: number | null;
}

const askedBy = {
  automation_rule_id: id(),
  automation_execution_id: id(),
  client_id: id(),
};
const askedByExample = {
  automation_rule_id: sample.ruleId,
  automation_execution_id: sample.executionId,
  client_id: sample.clientId,
};
const internal = { webhook: null, version: 1, source: 'automations' } as const;

/** What rules ask of the service that keeps passes; the id is the same on every retry. */
export const automationEvents = [
  defineEvent({
    ...internal,
    type: 'automations.push_requested',
    description: 'The send_push effect of a rule: the passes of the client are to show a message.',
    schema: Joi.object<PushRequested>({ ...askedBy, title: nullableText(), body: name() }),
    example: { ...askedByExample, title: null, body: 'Double points today' },
  }),
  defineEvent({
    ...internal,
    type: 'automations.template_switch_requested',
    description:
      'The switch_template effect of a rule: the pass of the client gets another template.',
    schema: Joi.object<TemplateSwitchRequested>({
      ...askedBy,
      template_id: id(),
      duration_days: count().allow(null),
    }),
    example: { ...askedByExample, template_id: sample.walletTypeId, duration_days: 7 },
  }),
] as const;
