import { pictureWarnings } from './picture-warnings';

test.each([
  ['logo', 480, 90, true, []],
  ['logo', 120, 40, false, ['too_small', 'no_transparency']],
  ['icon', 87, 87, false, []],
  ['icon', 200, 100, false, ['wrong_ratio']],
  ['icon', 40, 40, true, ['too_small']],
  ['strip', 1125, 369, false, []],
  ['strip', 1125, 1125, false, ['wrong_ratio']],
  ['reward', 300, 300, false, ['too_small']],
] as const)(
  'a %s of %d × %d pixels, transparent: %s, is warned of %j',
  (purpose, width, height, hasTransparency, codes) => {
    const warnings = pictureWarnings(purpose, { width, height, hasTransparency });
    expect(warnings.map(({ code }) => code)).toEqual(codes);
  },
);
