import { writeFileSync } from 'node:fs';
import { acting, command } from '../../command';
import { Failed, UsageError } from '../../failures';
import { say } from '../../output';
import { readProgramme } from '../../programme/files';
import { contentsOf, readTexts } from '../../programme/texts';
import { startProgress } from '../../progress';
import { junitOf } from '../../scenarios/junit';
import { readScenarios } from '../../scenarios/read';
import { type Outcome, runScenarios } from '../../scenarios/run';
import { openSession } from '../../session';
import type { Terminal } from '../../terminal';

export const test = (terminal: Terminal) =>
  acting<{ junit?: string; only?: string }>(
    command({
      usage: 'test <folder>',
      summary: 'Try the scenarios of a programme in sandboxes of their own',
      examples: [
        'laurel programme test programme',
        'laurel programme test programme --only "Tuesday" --junit scenarios.xml',
      ],
      notes:
        'A sandbox is a workspace that sends nothing and whose clock can be moved; it is deleted afterwards. Your own workspaces stay as they are. The exit code is 0 where every scenario holds, and 1 where one does not.',
    })
      .option('--only <words>', 'only scenarios whose names have these words')
      .option('--junit <file>', 'write the outcomes as JUnit does, for a CI server'),
    terminal,
    async (_, { args: [folder], options }) => {
      const session = await openSession(terminal, options);
      const texts = readTexts(folder!);
      const contents = contentsOf(texts, terminal.env);
      const wanted = readProgramme(contents);
      const scenarios = readScenarios(contents, wanted).filter(
        ({ name }) => options.only === undefined || name.includes(options.only),
      );
      if (scenarios.length === 0) throw new UsageError(`${folder} has no such scenario`);
      const progress = startProgress(terminal, 'scenarios');
      let outcomes: Outcome[];
      try {
        outcomes = await runScenarios(
          session,
          { wanted, texts, scenarios },
          {
            ended: (count) => progress.show(count, scenarios.length),
            interrupted: terminal.interrupted,
          },
        );
      } finally {
        progress.end();
      }
      say(terminal, options, { data: { scenarios: outcomes }, lines: told(outcomes) });
      if (options.junit !== undefined) writeFileSync(options.junit, junitOf(folder!, outcomes));
      if (outcomes.some(({ passed }) => !passed)) throw new Failed('');
    },
  );

function told(outcomes: readonly Outcome[]): string[] {
  const failed = outcomes.filter(({ passed }) => !passed).length;
  return [
    ...outcomes.flatMap(({ name, passed, durationMs, complaints, rules }) => [
      `${passed ? '✓' : '✗'} ${name} (${(durationMs / 1_000).toFixed(1)} s)`,
      ...complaints.map((complaint) => `    ${complaint}`),
      ...rules.map((rule) => `    rule ${rule}`),
    ]),
    failed === 0
      ? `${outcomes.length} scenarios hold`
      : `${failed} of ${outcomes.length} scenarios do not hold`,
  ];
}
