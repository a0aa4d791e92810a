import forge from 'node-forge';
import { makeLocalApple } from './make-local';
import { certificateProblems } from './read';

const NOW = new Date('2026-11-23T12:00:00Z');

afterEach(() => jest.restoreAllMocks());

test.each([0, 1, 127, 128, 255])(
  'a certificate is readable whose random serial number is made of bytes of %d',
  async (byte) => {
    jest
      .spyOn(forge.random, 'getBytesSync')
      .mockImplementation((count) => String.fromCharCode(byte).repeat(count));
    expect(certificateProblems(await makeLocalApple(NOW), NOW)).toEqual([]);
  },
);
