import { aptSettings, debootstrapArguments, mountedBelow } from './install.mjs';

const MIRROR = 'http://deb.debian.org/debian';
const SNAPSHOT = 'http://snapshot.debian.org/archive/debian/20261101T000000Z';

test.each([MIRROR, SNAPSHOT])(
  'nothing from %s is unpacked unless Debian signed it, whatever system this is',
  (mirror) => {
    expect(debootstrapArguments('/root', mirror)).toEqual(
      expect.arrayContaining([
        '--force-check-gpg',
        '--keyring=/usr/share/keyrings/debian-archive-keyring.gpg',
      ]),
    );
    expect(aptSettings(mirror)).toContain('AllowInsecureRepositories "false"');
  },
);

test('lists past their date are refused, but of a snapshot that was asked for by its date', () => {
  expect(aptSettings(MIRROR)).not.toContain('Check-Valid-Until');
  expect(aptSettings(SNAPSHOT)).toContain('Check-Valid-Until "false"');
});

test('what a killed installation left mounted in the root is found, the deepest first, and nothing beside it', () => {
  const mounts = [
    'proc /proc proc rw 0 0',
    'proc /a\\040b/engine/proc proc rw 0 0',
    'binfmt /a\\040b/engine/proc/sys/fs/binfmt_misc binfmt_misc rw 0 0',
    'tmpfs /a\\040b/engine-2 tmpfs rw 0 0',
    '',
  ].join('\n');
  expect(mountedBelow('/a b/engine', mounts)).toEqual([
    '/a b/engine/proc/sys/fs/binfmt_misc',
    '/a b/engine/proc',
  ]);
});
