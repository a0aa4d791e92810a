import { catalogue, defineRefusal } from '@laurel/errors';

/** Every way this domain says no, besides the platform's own. */
export const refusals = catalogue({
  ruleNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the automation rule does not exist'),
  backtestNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the backtest does not exist'),
  unknownRule: defineRefusal('INVALID_PAYLOAD', 400, 'there is no such rule in the workspace'),
  unknownPassTemplate: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'there is no such pass template in the workspace',
  ),
  notEveryRule: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'rule_ids must name every rule of the workspace exactly once',
  ),
  unknownClient: defineRefusal('INVALID_PAYLOAD', 400, 'there is no such client in the workspace'),
  keyTaken: defineRefusal('CONFLICT', 409, 'another rule of the workspace has this key'),
  keyGiven: defineRefusal(
    'CONFLICT',
    409,
    'the rule has a key already, by which files know it: another one is given under If-Match',
  ),
});
