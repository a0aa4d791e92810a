// What docker compose runs once, before and after the services:
//
//   node deploy/local/compose.mjs secrets <kept> <folder> [...]    makes the secrets, kept in one folder and handed to
//                                                                  each container in another; gives further folders to
//                                                                  the user of the services
//   node deploy/local/compose.mjs rotate <kept> <name>             takes JWT_SECRET or SECRETS_KEY a step on its way to another
//                                                                  one, of three; after each the services start anew
//   node deploy/local/compose.mjs demo <folder> <inside> <outside> seeds the demo workspace; the gateway's address as
//                                                                  seen from here, and as a person will type it
import path from 'node:path';
import {
  giveToServices,
  handOut,
  keptSecrets,
  ROTATED,
  rotateKey,
  secretFiles,
} from './lib/compose-secrets.mjs';
import { seedDemo } from './lib/demo.mjs';
import { say, warn } from './lib/progress.mjs';
import { welcomeText } from './lib/welcome.mjs';

/** What was done, and what comes next. @type {Record<import('./lib/compose-secrets.mjs').Step, (name: string) => string>} */
const STEPS = {
  added: (name) => `1 of 3: a new ${name} is read beside the old one. Start the services anew.`,
  swapped: (name) =>
    `2 of 3: the new ${name} is used, and the old one read. Start the services anew, and see in README.md how long the old one is needed.`,
  removed: (name) => `3 of 3: the old ${name} is gone. Start the services anew.`,
};

const [command, ...given] = process.argv.slice(2);
if (command === 'secrets') {
  const [kept = '.', folder = '.', ...written] = given;
  handOut(secretFiles(keptSecrets(kept)), folder);
  giveToServices(written);
} else if (command === 'rotate') {
  const [kept = '.', asked] = given;
  const name = ROTATED.find((one) => one === asked);
  if (name) say(STEPS[rotateKey(kept, name)](name));
  else {
    warn(`rotate <kept> ${ROTATED.join(' | ')}`);
    process.exitCode = 2;
  }
} else {
  const [folder = '.', inside = '', outside = inside] = given;
  const demo = await seedDemo({ baseUrl: inside, file: path.join(folder, 'demo.json') });
  say(`Laurel is ready.\n${welcomeText({ baseUrls: [outside], demo, notes: [] })}`);
}
