import { createHmac } from 'node:crypto';
import { createPassLinks } from './links';

const [key, former] = [Buffer.from('a key'), Buffer.from('the key before')];
const links = createPassLinks({ keys: [key, former], publicUrl: 'https://laurel.example//' });
const pass = { id: 'p', link_generation: 0 };
const signatureBy = (secret: Buffer, text: string) =>
  createHmac('sha256', secret).update(text).digest().subarray(0, 16).toString('base64url');

test('the four links of a pass bear its id and one signature', () => {
  const link = `https://laurel.example/p/p/${signatureBy(key, 'p')}`;
  expect(links.urlsOf(pass)).toEqual({
    apple_pass_url: `${link}/apple`,
    apple_qrcode_url: `${link}/apple.png`,
    google_pass_url: `${link}/google`,
    google_qrcode_url: `${link}/google.png`,
  });
});

test('a link lives on after its key was replaced, until the links are made anew', () => {
  expect(links.isSignatureOf(pass, signatureBy(key, 'p'))).toBe(true);
  expect(links.isSignatureOf(pass, signatureBy(former, 'p'))).toBe(true);
  const anew = { ...pass, link_generation: 1 };
  expect(links.isSignatureOf(anew, signatureBy(key, 'p'))).toBe(false);
  const signature = links.urlsOf(anew).apple_pass_url.split('/').at(-2)!;
  expect(signature).toBe(signatureBy(key, 'p:1'));
  expect(links.isSignatureOf(anew, signature)).toBe(true);
});

test('no signature of another pass or key, and none that is cut, longer or written in another way, opens a pass', () => {
  const right = signatureBy(key, 'p');
  const wrong = [signatureBy(key, 'q'), signatureBy(Buffer.from('x'), 'p'), right.slice(0, 20)];
  for (const signature of [...wrong, `${right}AAAA`, `,${right}`, `${right}=`, ''])
    expect(links.isSignatureOf(pass, signature)).toBe(false);
});
