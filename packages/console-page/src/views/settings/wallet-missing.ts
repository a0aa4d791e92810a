import { formInWords } from '../../in-words';
import type { Say, WordKey } from '../../language';

/** What a workspace gives, by its name in the API. */
const GIVEN: Readonly<Record<string, WordKey>> = {
  certificate: 'wallets.certificate',
  key: 'wallets.key',
  wwdr_certificate: 'wallets.wwdr_certificate',
};

interface Missing {
  /** What is wrong with the keys of the workspace, in words. */
  own: string[];
  /** Names of the settings that the installation lacks; empty where keys of some kind are there. */
  settings: string[];
}

/** What a wallet lacks, by whose it is: the platform names it as `certificate: not within its dates`, or as `APPLE_PASS_KEY`. */
export function missingOf(say: Say, missing: readonly string[]): Missing {
  const all = missing.map((text) => {
    const [name = '', ...message] = text.split(': ');
    return { name, message: message.join(': ') };
  });
  const own = all.flatMap(({ name, message }) => {
    const word = GIVEN[name];
    return word ? [`${say(word)}: ${formInWords(say, message) ?? message}`] : [];
  });
  const settings = all.flatMap(({ name }) => (name in GIVEN ? [] : [name]));
  return { own, settings: [...new Set(settings)] };
}
