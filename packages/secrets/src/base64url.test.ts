import { fromBase64url } from './base64url';

test('bytes are read as they are written', () => {
  for (const length of [1, 2, 3, 16, 32]) {
    const bytes = Buffer.alloc(length, 0xf7);
    expect(fromBase64url(bytes.toString('base64url'))).toEqual(bytes);
  }
});

test('what has more around it, another alphabet or bits that say nothing stands for no bytes', () => {
  const text = Buffer.from([0xfb, 0xff, 0xf0, 0x10]).toString('base64url');
  const others = [
    `,${text}`,
    `${text} `,
    `${text}=`,
    `${text}==`,
    `${text.slice(0, 2)}.${text.slice(2)}`,
  ];
  others.push(text.replace('-', '+'), `${text.slice(0, -1)}B`);
  for (const other of others) {
    expect(other).not.toBe(text);
    expect(fromBase64url(other)).toHaveLength(0);
  }
});
