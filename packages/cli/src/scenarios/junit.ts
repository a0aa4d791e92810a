import type { Outcome } from './run';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!);
const secondsOf = (ms: number): string => (ms / 1_000).toFixed(3);

/** The outcomes as JUnit writes them, which every CI server reads. */
export function junitOf(folder: string, outcomes: readonly Outcome[]): string {
  const failed = outcomes.filter(({ passed }) => !passed).length;
  const cases = outcomes.map(({ name, file, passed, durationMs, complaints, rules }) => {
    const head = `    <testcase classname="${escaped(file)}" name="${escaped(name)}" time="${secondsOf(durationMs)}"`;
    if (passed) return `${head}/>`;
    const text = [...complaints, ...rules.map((rule) => `rule ${rule}`)].join('\n');
    return `${head}>\n      <failure message="${escaped(complaints[0]!)}">${escaped(text)}</failure>\n    </testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escaped(folder)}" tests="${outcomes.length}" failures="${failed}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
