import type { Language } from '../../language';

/** What was done to what: "Reward · redeemed"; an operation without words of ours keeps its own name. */
export function sayChange({ say, knows }: Language, action: string): string {
  const [thing = '', done = ''] = action.split('.');
  const wordOr = (key: string, name: string) => (knows(key) ? say(key) : name.replaceAll('-', ' '));
  return `${wordOr(`thing.${thing}`, thing)} · ${wordOr(`done.${done}`, done)}`;
}
