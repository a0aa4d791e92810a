import { emailKey } from '@laurel/values/email';
import { createFailureLimit, type FailureLimit } from './failure-limit';

/** Whose password was wrong, and where from: the address as the gateway counts it. */
export interface LoginAttempt {
  email: string;
  ip: string;
}

/** Counts failed logins; refuses RATE_LIMITED where there were too many within the minute. */
export interface LoginFailures {
  check(attempt: LoginAttempt): Promise<void>;
  count(attempt: LoginAttempt): Promise<void>;
}

export interface LoginLimits {
  perPair: number;
  perAccount: number;
  perAddress: number;
}

/**
 * Three counts of each failure (part 4, section 12). The tight one is of account and address together, so
 * that a stranger does not lock an account's owner out, nor one colleague a whole shop; the loose ones
 * stop guessing from many addresses, and at many accounts.
 */
export function createLoginFailures(
  redis: unknown,
  name: string,
  { perPair, perAccount, perAddress }: LoginLimits,
): LoginFailures {
  const limits: [FailureLimit, (attempt: LoginAttempt) => string][] = [
    [createFailureLimit(redis, `${name}:pair`, perPair), pairOf],
    [createFailureLimit(redis, `${name}:account`, perAccount), ({ email }) => emailKey(email)],
    [createFailureLimit(redis, `${name}:address`, perAddress), ({ ip }) => ip],
  ];
  const all = async (step: 'check' | 'count', attempt: LoginAttempt): Promise<void> => {
    await Promise.all(limits.map(([limit, keyOf]) => limit[step](keyOf(attempt))));
  };
  return {
    check: (attempt) => all('check', attempt),
    count: (attempt) => all('count', attempt),
  };
}

const pairOf = ({ email, ip }: LoginAttempt): string => `${emailKey(email)} ${ip}`;
