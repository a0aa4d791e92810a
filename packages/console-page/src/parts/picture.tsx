import { type ImgHTMLAttributes, type ReactNode, useEffect, useRef, useState } from 'react';
import { pictureAddress } from './picture-address';

type Looks = Pick<ImgHTMLAttributes<HTMLImageElement>, 'className' | 'height' | 'loading'>;

/** Of a list that is shown for the first time some pictures are refused for a moment. */
const TRY_AGAIN_MS = [3_000, 9_000];

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
  return address && <PatientImage key={address} src={address} {...looks} />;
}

function PatientImage({ src, ...looks }: Looks & { src: string }): ReactNode {
  const [tries, setTries] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const tryAgain = () => {
    const waitMs = TRY_AGAIN_MS[tries];
    if (waitMs !== undefined) timer.current = setTimeout(() => setTries(tries + 1), waitMs);
  };
  // Another element: the one that failed would not ask again for the same address.
  return <img key={tries} src={src} alt="" {...looks} onError={tryAgain} />;
}
