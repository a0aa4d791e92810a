import { writeFileSync } from 'node:fs';
import { encode } from 'uqr';

const SIDE = 480;
const CODE_SIDE = 400;
const FRAMES = 5;
const WHITE = 255;
const BLACK = 16;
const GREY = 128;

/** A film of a QR code, held still, as a camera of Chromium plays it. */
export function filmCode(text: string, file: string): void {
  const { data, size } = encode(text, { border: 4 });
  const scale = Math.floor(CODE_SIDE / size);
  const at = Math.floor((SIDE - scale * size) / 2);
  const light = Buffer.alloc(SIDE * SIDE, WHITE);
  for (let y = 0; y < size * scale; y += 1)
    for (let x = 0; x < size * scale; x += 1)
      if (data[Math.floor(y / scale)]![Math.floor(x / scale)])
        light[(y + at) * SIDE + x + at] = BLACK;
  const colour = Buffer.alloc((SIDE * SIDE) / 2, GREY);
  const frame = [Buffer.from('FRAME\n'), light, colour];
  const head = Buffer.from(`YUV4MPEG2 W${SIDE} H${SIDE} F15:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(file, Buffer.concat([head, ...Array.from({ length: FRAMES }, () => frame).flat()]));
}
