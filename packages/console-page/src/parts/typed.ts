import { useState } from 'react';

/**
 * The text of a field whose value is another thing than text: as it is typed for as long as it says the same, else as the
 * value is written. Written anew at each key, half of what is typed would be something else.
 *
 * @param saysTheSame whether a text means the value
 */
export function useTyped(
  saysTheSame: (typed: string) => boolean,
  written: string,
): [text: string, type: (typed: string) => void] {
  const [typed, setTyped] = useState('');
  return [saysTheSame(typed) ? typed : written, setTyped];
}
