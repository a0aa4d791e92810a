const HEX = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;

/** What WCAG asks of text. */
export const READABLE = 4.5;

function luminance(colour: string): number {
  const parts = HEX.exec(colour);
  if (!parts) return 0;
  const [red, green, blue] = parts.slice(1).map((part) => {
    const share = Number.parseInt(part, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** How far two colours (`#rrggbb`) stand apart: 1 is the same, 21 black on white. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

/** The nearest shade of a colour that can be read on a ground: the colour itself where it can. */
export function readableOn(ground: string, colour: string): string {
  if (contrast(ground, colour) >= READABLE) return colour;
  const towards = contrast(ground, '#ffffff') >= contrast(ground, '#000000') ? 255 : 0;
  const parts = HEX.exec(colour)
    ?.slice(1)
    .map((part) => Number.parseInt(part, 16)) ?? [0, 0, 0];
  for (let step = 1; step <= 20; step += 1) {
    const mixed = parts.map((part) => Math.round(part + ((towards - part) * step) / 20));
    const shade = `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
    if (contrast(ground, shade) >= READABLE) return shade;
  }
  return towards === 255 ? '#ffffff' : '#000000';
}
