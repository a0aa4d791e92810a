import type { PictureFault, PictureUse } from '@laurel/contract';

export interface PictureFacts {
  /** Pixels. */
  width: number;
  height: number;
  hasTransparency: boolean;
}

export interface PictureWarning {
  code: PictureFault;
  message: string;
}

/** Pixels on phones with three to a point: Apple's boxes of a logo, an icon and a strip; a reward as pages draw it. */
const SIDES: Readonly<Record<PictureUse, { width: number; height: number }>> = {
  logo: { width: 480, height: 150 },
  icon: { width: 87, height: 87 },
  strip: { width: 1125, height: 369 },
  reward: { width: 480, height: 240 },
};
/** Width by height, of what has a box that it fills. */
const RATIOS: Readonly<Partial<Record<PictureUse, { min: number; max: number }>>> = {
  icon: { min: 0.95, max: 1.05 },
  strip: { min: 2.4, max: 3.3 },
};

/** What will look poor about a picture that is sound by itself. */
export function pictureWarnings(purpose: PictureUse, facts: PictureFacts): PictureWarning[] {
  const { width, height, hasTransparency } = facts;
  const wanted = SIDES[purpose];
  // A logo is fitted into its box: it is sharp where it fills one side of it.
  const isSmall =
    purpose === 'logo'
      ? width < wanted.width && height < wanted.height
      : width < wanted.width || height < wanted.height;
  const ratio = RATIOS[purpose];
  const isWrong = ratio !== undefined && (width / height < ratio.min || width / height > ratio.max);
  const warn = (code: PictureFault, message: string): PictureWarning[] => [{ code, message }];
  return [
    ...(isSmall
      ? warn(
          'too_small',
          `${width} × ${height} is blurred on phones: ${wanted.width} × ${wanted.height} is sharp`,
        )
      : []),
    ...(isWrong
      ? warn(
          'wrong_ratio',
          `${width} × ${height} will be cut: ${wanted.width} × ${wanted.height} fits`,
        )
      : []),
    ...(purpose === 'logo' && !hasTransparency
      ? warn('no_transparency', 'without a transparent ground it stands in a box of its own colour')
      : []),
  ];
}
