import path from 'node:path';
import { readPageAssets } from './portal-page/assets';
import { readLibrary } from './published-library';
import { readBuiltPage } from './static-page/assets';

const MIT = 'The above copyright notice and this permission notice shall be included';

test.each(['account', 'console', 'till'])(
  'what is built into the pages of %s has its licence beside it',
  (name) => {
    const licences = readBuiltPage(`@laurel/${name}-page`).files.get('licences.md')!.content;
    expect(licences.toString()).toContain(name === 'console' ? '## react - ' : '## preact - ');
    expect(licences.toString()).toContain(MIT);
  },
);

test('what the portal loads as it was published has its licence before it', () => {
  const { files } = readPageAssets();
  expect(files.get('vendor/preact.js')!.toString()).toMatch(/^\/\*!\nhtm\n[\s\S]*\/\*!\npreact\n/);
  expect(files.get('vendor/preact.js')!.toString()).toContain(MIT);
  expect(files.get('vendor/qr.js')!.toString()).toContain(MIT);
});

test('a library comes as it is below its licence', () => {
  const folder = path.dirname(require.resolve('@laurel/enrollment-page/package.json'));
  const text = readLibrary(folder, 'index.mjs', ['uqr']).toString();
  expect(text).toMatch(/^\/\*!\nuqr\n[\s\S]*\*\/\nvar QrCodeDataType/);
});
