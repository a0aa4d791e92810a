import path from 'node:path';
import { secondDeclarations } from '@laurel/config';
import { ROOT } from '../deploy/local/lib/paths.mjs';
import { serviceNames } from '../deploy/local/lib/workspace.mjs';

test('every setting and secret is declared once, however many services read it', () => {
  const declared = Object.fromEntries(
    serviceNames().map((name) => {
      const { settings } = require(path.join(ROOT, 'services', name, 'src/config'));
      return [name, settings];
    }),
  );
  expect(secondDeclarations(declared)).toEqual([]);
});
