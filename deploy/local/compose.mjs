// What docker compose runs once, before and after the services:
//
//   node deploy/local/compose.mjs secrets <kept> <folder> [...]    makes the secrets, kept in one folder and handed to
//                                                                  each container in another; gives further folders to
//                                                                  the user of the services
//   node deploy/local/compose.mjs demo <folder> <inside> <outside> seeds the demo workspace; the gateway's address as
//                                                                  seen from here, and as a person will type it
import path from 'node:path';
import { giveToServices, handOut, keptSecrets, secretFiles } from './lib/compose-secrets.mjs';
import { seedDemo } from './lib/demo.mjs';
import { say } from './lib/progress.mjs';
import { welcomeText } from './lib/welcome.mjs';

const [command, ...given] = process.argv.slice(2);
if (command === 'secrets') {
  const [kept = '.', folder = '.', ...written] = given;
  handOut(secretFiles(keptSecrets(kept)), folder);
  giveToServices(written);
} else {
  const [folder = '.', inside = '', outside = inside] = given;
  const demo = await seedDemo({ baseUrl: inside, file: path.join(folder, 'demo.json') });
  say(`Laurel is ready.\n${welcomeText({ baseUrls: [outside], demo, notes: [] })}`);
}
