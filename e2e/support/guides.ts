/** A block of a guide that somebody types, and what the guide says it answers. */
export interface Block {
  number: number;
  language: 'sh' | 'ts';
  code: string;
  /** Lines that must come in this order; `…` stands for anything. */
  answer: readonly string[];
}

const FENCE = /^```(\w+)\n([\s\S]*?)^```$/gm;
const MARK = '===== block';
const ANYTHING = '…';

/** The blocks in `sh` and `ts` of a guide in order, each with the `output` block behind it. */
export function blocksIn(markdown: string): Block[] {
  const blocks: { number: number; language: 'sh' | 'ts'; code: string; answer: string[] }[] = [];
  for (const [, language, code = ''] of markdown.matchAll(FENCE)) {
    if (language === 'sh' || language === 'ts')
      blocks.push({ number: blocks.length + 1, language, code, answer: [] });
    if (language === 'output') blocks.at(-1)?.answer.push(...code.trimEnd().split('\n'));
  }
  return blocks;
}

/** All of a guide as one program in one shell, as a reader has it: a variable of one block is there in the next. */
export function programOf(blocks: readonly Block[]): string {
  const steps = blocks.map(({ number, language, code }) => {
    const step = language === 'sh' ? code : `node ${number}.mjs\n`;
    return `printf "\\n${MARK} ${number}\\n"\n${step}`;
  });
  // Whatever a guide sets is seen by the programs that it starts; whatever fails, ends it.
  return ['set -eao pipefail', ...steps].join('\n');
}

/** The lines that a guide promises and that did not come, with the block that they stand behind. */
export function differenceOf(blocks: readonly Block[], out: string): string[] {
  const told = out.split(new RegExp(`^${MARK} \\d+$`, 'm')).slice(1);
  return blocks.flatMap(({ number, answer }, index) => {
    const lines = (told[index] ?? '').split('\n');
    let at = 0;
    const missing = answer.find((wanted) => {
      const found = lines.findIndex((line, place) => place >= at && fits(line, wanted));
      at = found + 1;
      return found < 0;
    });
    return missing === undefined ? [] : [`block ${number}: no "${missing}" in ${told[index]}`];
  });
}

function fits(line: string, wanted: string): boolean {
  const parts = wanted.trim().split(ANYTHING).map(escaped);
  return new RegExp(`^${parts.join('.*')}$`).test(line.trim());
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The examples of a page of the client's reference as one program that can be compiled: each follows the signature that
 * says which ids it takes.
 */
export function exampleProgramOf(page: string): string {
  const methods = [...page.matchAll(/```ts\n(laurel\.[\s\S]*?)```[\s\S]*?```ts\n([\s\S]*?)```/g)];
  const functions = methods.map(([, signature = '', example = ''], index) => {
    const ids = [...signature.split(')')[0]!.matchAll(/(\w+): string/g)].map(([id]) => id);
    const given = ['laurel: Laurel', 'form: FormData', ...ids].join(', ');
    return `export async function example${index}(${given}) {\n${example}}\n`;
  });
  return [`import type { Laurel } from '@laurel/client';`, ...functions].join('\n');
}
