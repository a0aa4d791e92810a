import type { ImgHTMLAttributes, ReactNode } from 'react';
import { pictureAddress } from './picture-address';

type Looks = Pick<ImgHTMLAttributes<HTMLImageElement>, 'className' | 'height' | 'loading'>;

/** A picture by what the workspace says of it, a file or an address; nothing where that names none. */
export function Picture({
  source,
  size,
  ...looks
}: Looks & {
  source: string | null | undefined;
  /** As `/assets` takes it, e.g. `width=480`. */
  size: string;
}): ReactNode {
  const address = source ? pictureAddress(source, size) : null;
  return address && <img src={address} alt="" {...looks} />;
}
