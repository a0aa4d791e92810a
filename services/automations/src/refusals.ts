import { catalogue, platform } from '@laurel/errors';

/** Every way this domain says no, besides the platform's own. */
export const refusals = catalogue({
  ruleNotFound: platform.recordNotFound.says('the automation rule does not exist'),
  backtestNotFound: platform.recordNotFound.says('the backtest does not exist'),
  unknownRule: platform.invalidPayload.says('there is no such rule in the workspace'),
  unknownPassTemplate: platform.invalidPayload.says(
    'there is no such pass template in the workspace',
  ),
  notEveryRule: platform.invalidPayload.says(
    'rule_ids must name every rule of the workspace exactly once',
  ),
  unknownClient: platform.invalidPayload.says('there is no such client in the workspace'),
  tooManyRules: platform.conflict.says(
    'a workspace has at most 1000 automation rules: delete those that no longer run',
  ),
  keyTaken: platform.conflict.says('another rule of the workspace has this key'),
  keyGiven: platform.conflict.says(
    'the rule already has a key, by which files know it: send If-Match to give it another one',
  ),
});
