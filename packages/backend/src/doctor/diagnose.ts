import { type Environment, withFilesRead } from '@laurel/config';
import { within } from '@laurel/lifecycle';
import { examineRabbitmq } from './broker';
import { examineCertificates } from './certificates';
import { broken, type Finding } from './finding';
import { examineGateway } from './gateway';
import { examineSettings, type Patient } from './settings';
import { examineMongodb, examineRedis } from './stores';

const ANSWER_MS_MAX = 45_000;

export interface Examined {
  patients: readonly Patient[];
  environment: Environment;
  /** Gateways that are said to run. */
  baseUrls?: readonly string[];
  /** Whose queues are meant where several platforms share a broker. */
  exchange?: string;
  /** As long as one server may take to say how it is. */
  msMax?: number;
}

/** Looks at everything an installation stands on and says how it is. Changes nothing; never rejects because of what it finds. */
export async function diagnose({
  patients,
  environment: given,
  baseUrls = [],
  exchange,
  msMax = ANSWER_MS_MAX,
}: Examined): Promise<Finding[]> {
  const environment = withFilesRead(given);
  const soon = (about: string, part: Promise<Finding[]>) =>
    within(msMax, part, () => standsStill(about, msMax));
  const parts = await Promise.all([
    examineSettings(patients, given),
    soon('MongoDB', examineMongodb(patients, environment)),
    soon('RabbitMQ', examineRabbitmq(environment, exchange)),
    soon('Redis', examineRedis(environment)),
    examineCertificates(environment),
    ...baseUrls.map((baseUrl) => examineGateway(baseUrl)),
  ]);
  return parts.flat();
}

/** A server that stands still takes connections and never answers: the others must be heard all the same. */
function standsStill(about: string, msMax: number): Finding[] {
  const text = `takes connections and said nothing for ${msMax / 1_000} s: it stands still`;
  return [broken(about, text, 'look at its machine, then restart it')];
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
