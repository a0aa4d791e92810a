import Joi from 'joi';

/** Building blocks of event schemas. Everything is required unless wrapped; null is allowed only where said. */
export const id = () => Joi.string().guid().required();
export const nullableId = () => Joi.string().guid().allow(null).required();
export const text = () => Joi.string().allow('').required();
export const name = () => Joi.string().required();
export const nullableText = () => Joi.string().allow('', null).required();
export const timestamp = () => Joi.string().isoDate().required();
export const nullableTimestamp = () => Joi.string().isoDate().allow(null).required();
/** Points and money: the service has already checked range and decimal places. */
export const amount = () => Joi.number().unsafe().required();
export const count = () => Joi.number().integer().min(0).required();
/** How often a row has been written; events of earlier releases have none. */
export const revision = () => Joi.number().integer().min(1);
export const flag = () => Joi.boolean().required();
export const anyObject = () => Joi.object().unknown(true).required();

/** Ids used in every example, so that the examples tell one coherent story. */
export const sample = {
  workspaceId: '0198f3a0-0000-7000-8000-000000000001',
  userId: '0198f3a0-0000-7000-8000-000000000002',
  clientId: '0198f3a0-0000-7000-8000-000000000003',
  otherClientId: '0198f3a0-0000-7000-8000-000000000004',
  passId: '0198f3a0-0000-7000-8000-000000000005',
  walletId: '0198f3a0-0000-7000-8000-000000000006',
  walletTypeId: '0198f3a0-0000-7000-8000-000000000007',
  entryId: '0198f3a0-0000-7000-8000-000000000008',
  eventId: '0198f3a0-0000-7000-8000-000000000009',
  tierId: '0198f3a0-0000-7000-8000-00000000000a',
  otherTierId: '0198f3a0-0000-7000-8000-00000000000b',
  rewardId: '0198f3a0-0000-7000-8000-00000000000c',
  redemptionId: '0198f3a0-0000-7000-8000-00000000000d',
  couponId: '0198f3a0-0000-7000-8000-00000000000e',
  referralId: '0198f3a0-0000-7000-8000-00000000000f',
  webhookId: '0198f3a0-0000-7000-8000-000000000010',
  ruleId: '0198f3a0-0000-7000-8000-000000000011',
  executionId: '0198f3a0-0000-7000-8000-000000000012',
  at: '2026-05-04T10:15:30.000Z',
} as const;
