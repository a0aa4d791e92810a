// What docker compose runs once, before and after the services:
//
//   node deploy/local/compose.mjs secrets <folder>                 makes the secrets, one file each
//   node deploy/local/compose.mjs demo <folder> <inside> <outside> seeds the demo workspace; the gateway's address as
//                                                                  seen from here, and as a person will type it
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { seedDemo } from './lib/demo.mjs';
import { say } from './lib/progress.mjs';
import { newSecrets } from './lib/secrets.mjs';
import { welcomeText } from './lib/welcome.mjs';

/** @param {string} folder */
function writeSecrets(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, value] of Object.entries(newSecrets())) {
    const file = path.join(folder, name);
    if (!existsSync(file)) writeFileSync(file, value, { mode: 0o600 });
  }
}

const [command, folder = '.', inside = '', outside = inside] = process.argv.slice(2);
if (command === 'secrets') {
  writeSecrets(folder);
} else {
  const demo = await seedDemo({ baseUrl: inside, file: path.join(folder, 'demo.json') });
  say(`Laurel is ready.\n${welcomeText({ baseUrls: [outside], demo, notes: [] })}`);
}
