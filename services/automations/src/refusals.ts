import { defineRefusal } from '@laurel/errors';

/** Every way this domain says no, besides the platform's own. */
export const refusals = {
  ruleNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the automation rule does not exist'),
  backtestNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the backtest does not exist'),
  noSuchRule: defineRefusal('INVALID_PAYLOAD', 400, 'there is no such rule in the workspace'),
  noSuchTemplate: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'there is no such pass template in the workspace',
  ),
  noSuchClient: defineRefusal('INVALID_PAYLOAD', 400, 'there is no such client in the workspace'),
} as const;
