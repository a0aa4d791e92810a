import { luminanceOf } from '@laurel/contract';

/** Red, green and blue, 0 to 255. */
type Channels = readonly [number, number, number];

/** `share` of the first colour in the second: 1 is all of it. Colours are #RRGGBB. */
export function mix(colour: string, into: string, share: number): string {
  const other = channelsOf(into);
  const mixed = channelsOf(colour).map((value, index) =>
    Math.round(value * share + other[index]! * (1 - share)),
  );
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Contrast of two colours as WCAG 2 defines it, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminanceOf(a), luminanceOf(b)].sort((left, right) => right - left) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

/** Whichever of the candidates stands out most from the ground. */
export function clearest(candidates: readonly string[], ground: string): string {
  return [...candidates].sort((a, b) => contrast(b, ground) - contrast(a, ground))[0]!;
}

const STEPS = 20;

/** The colour, moved towards `extreme` no further than it takes to stand out from every ground. */
export function legible(
  colour: string,
  { on, least, extreme }: { on: readonly string[]; least: number; extreme: string },
): string {
  for (let step = 0; step < STEPS; step += 1) {
    const candidate = mix(extreme, colour, step / STEPS);
    if (on.every((ground) => contrast(candidate, ground) >= least)) return candidate;
  }
  return extreme;
}

function channelsOf(colour: string): Channels {
  return [1, 3, 5].map((start) =>
    Number.parseInt(colour.slice(start, start + 2), 16),
  ) as unknown as Channels;
}
