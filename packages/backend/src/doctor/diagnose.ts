import type { Environment } from '@laurel/config';
import { examineRabbitmq } from './broker';
import { examineCertificates } from './certificates';
import type { Finding } from './finding';
import { examineGateway } from './gateway';
import { examineSettings, type Patient } from './settings';
import { examineMongodb, examineRedis } from './stores';

export interface Examined {
  patients: readonly Patient[];
  environment: Environment;
  /** Gateways that are said to run. */
  baseUrls?: readonly string[];
  /** Whose queues are meant where several platforms share a broker. */
  exchange?: string;
}

/** Looks at everything an installation stands on and says how it is. Changes nothing; never rejects because of what it finds. */
export async function diagnose({
  patients,
  environment,
  baseUrls = [],
  exchange,
}: Examined): Promise<Finding[]> {
  const parts = await Promise.all([
    examineSettings(patients, environment),
    examineMongodb(patients, environment),
    examineRabbitmq(environment, exchange),
    examineRedis(environment),
    examineCertificates(environment),
    ...baseUrls.map((baseUrl) => examineGateway(baseUrl)),
  ]);
  return parts.flat();
}

const SIGNS = { fine: '✓', warning: '!', broken: '✗' } as const;

/** One line for each, what is worst last, where one looks first; then what it comes to. */
export function describeFindings(findings: readonly Finding[]): string {
  const order = ['fine', 'warning', 'broken'] as const;
  const lines = order.flatMap((level) =>
    findings
      .filter((finding) => finding.level === level)
      .map(({ about, text, mend }) =>
        [`${SIGNS[level]} ${about}: ${text}`, ...(mend ? [`    ${mend}`] : [])].join('\n'),
      ),
  );
  const count = (level: Finding['level']) => findings.filter((one) => one.level === level).length;
  const [warnings, faults] = [count('warning'), count('broken')];
  const end =
    warnings + faults === 0
      ? 'Nothing is wrong.'
      : `${faults} broken, ${warnings} to be looked at.`;
  return [...lines, '', end].join('\n');
}
