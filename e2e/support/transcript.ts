import { execFile } from 'node:child_process';

const BLOCK = /^```console\n([\s\S]*?)^```$/gm;
const PROMPT = '$ ';
const MARK = '===== command';
/** What differs each time, and what stands for it. */
const REPLACED: readonly [RegExp, string][] = [
  [/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, 'owner@example.com'],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>'],
  [/whsec_[A-Za-z0-9+/=_-]+/g, 'whsec_<secret>'],
  [/"secret":"[\w-]{43}"/g, '"secret":"<secret>"'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'],
  [/\(\d+\.\d s\)/g, '(<seconds> s)'],
  [/\b[0-9a-f]{16}\b/g, '<plan>'],
];

/** The commands that the `console` blocks of a page show, in order. */
export const commandsIn = (page: string): string[] =>
  [...page.matchAll(BLOCK)].flatMap(([, block = '']) => promptsIn(block));

const promptsIn = (block: string): string[] =>
  block
    .split('\n')
    .filter((line) => line.startsWith(PROMPT))
    .map((line) => line.slice(PROMPT.length));

/** The page with what its commands have answered below each, and how those ended that did not end with 0. */
export function withAnswers(page: string, answers: readonly string[]): string {
  const left = [...answers];
  return page.replace(BLOCK, (_, block: string) => {
    const lines = promptsIn(block).flatMap((command) => [
      `${PROMPT}${command}`,
      ...(left.shift() ?? '').split('\n').filter((line) => line !== ''),
    ]);
    return `\`\`\`console\n${lines.join('\n')}\n\`\`\``;
  });
}

/** What commands answer that are typed one after the other in one shell, without what differs each time. */
export async function answersOf(
  commands: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<string[]> {
  const steps = commands.map(
    (command) => `${command}\ncode=$?\n[ $code = 0 ] || echo "(ended with $code)"\necho "${MARK}"`,
  );
  const out = await new Promise<string>((resolve, reject) => {
    const program = ['exec 2>&1', ...steps].join('\n');
    execFile('bash', ['-c', program], { cwd, env }, (error, text) =>
      error ? reject(error) : resolve(text),
    );
  });
  const neutral = REPLACED.reduce((text, [what, by]) => text.replace(what, by), out);
  return neutral.split(`${MARK}\n`).slice(0, -1);
}
