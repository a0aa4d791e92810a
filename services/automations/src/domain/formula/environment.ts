import { createBoundedEnvironment, type Environment } from '@laurel/cel';
import { dayOf, type FormulaFunction, FUNCTIONS, momentOf } from './functions';

const TIMESTAMP = 'google.protobuf.Timestamp';
/** A moment that may be missing: what the library knows as a timestamp it never lets be null. */
export const MOMENT_OR_NULL = 'dyn';
const ANY_MAP = 'map<string, dyn>';

const CLIENT = {
  id: 'string',
  workspace_id: 'string',
  first_name: 'string',
  last_name: 'string',
  email: 'string',
  phone: 'string',
  birth_date: 'string',
  source: 'string',
  status: 'string',
  marketing_consent: 'bool',
  marketing_consent_at: MOMENT_OR_NULL,
  marketing_consent_source: 'string',
  marketing_consent_text: 'string',
  loyalty_program_enabled: 'bool',
  registration_date: TIMESTAMP,
  date_created: TIMESTAMP,
  custom_fields: ANY_MAP,
  age: 'double',
  days_since_registration: 'double',
};
const EVENT = {
  id: 'string',
  event_category: 'string',
  event_type: 'string',
  event_timestamp: TIMESTAMP,
  pass_id: 'string',
  amount: 'double',
  currency: 'string',
  field_name: 'string',
  old_value: 'string',
  new_value: 'string',
  role: 'string',
  source: 'string',
  external_id: 'string',
  metadata: ANY_MAP,
};
const WALLET = {
  active: 'double',
  pending: 'double',
  locked: 'double',
  earned: 'double',
  spent: 'double',
  expired: 'double',
};
const TIER = { id: 'string', name: 'string', level: 'double' };
const METRICS = {
  transaction_count: 'double',
  total_spending: 'double',
  points_earned: 'double',
  referrals_completed: 'double',
  days_since_last_transaction: 'double',
};

/** Variables as `GET :ws/automations/metadata` lists them; wallets stand under the workspace's own codes. */
export const VARIABLES = {
  client: CLIENT,
  event: EVENT,
  wallet: { '<code>': WALLET },
  tier: TIER,
  metrics: METRICS,
} as const;

/** The language of one workspace: its wallet types are members of `wallet`. */
export function createEnvironment(walletCodes: readonly string[]): Environment {
  const environment = createBoundedEnvironment()
    .registerVariable({ name: 'client', schema: CLIENT })
    .registerVariable({ name: 'event', schema: EVENT })
    .registerVariable({
      name: 'wallet',
      schema: Object.fromEntries(walletCodes.map((code) => [code, WALLET])),
    })
    .registerVariable({ name: 'tier', schema: TIER })
    .registerVariable({ name: 'metrics', schema: METRICS })
    .registerVariable('now', TIMESTAMP);
  for (const one of FUNCTIONS) addFunction(environment, one);
  return environment;
}

const TYPES = {
  moment: [TIMESTAMP, 'string'],
  day: [TIMESTAMP, 'string'],
} as const;

const READ = {
  moment: momentOf,
  day: dayOf,
} as const;

function addFunction(
  environment: Environment,
  { name, parameters, returns, run }: FormulaFunction,
): void {
  for (const types of combinations(parameters)) {
    const handler = (...values: unknown[]) =>
      (run as (...given: unknown[]) => unknown)(
        ...values.map((value, index) => READ[parameters[index]!](value)),
      );
    environment.registerFunction(`${name}(${types.join(', ')}): ${returns}`, handler);
  }
}

function combinations(parameters: FormulaFunction['parameters']): string[][] {
  return parameters.reduce<string[][]>(
    (found, parameter) =>
      found.flatMap((types) => TYPES[parameter].map((type) => [...types, type])),
    [[]],
  );
}
