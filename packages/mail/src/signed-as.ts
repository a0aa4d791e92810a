import { namesPlace } from './mail-text';
import { oneLine } from './one-line';

/**
 * Who asks somebody for something, as a mail to any address may say it. A person may call themselves what they like: where
 * a mail program would make a link of that, it says their address, which they have proven.
 */
export const signedAs = (name: string, address: string): string =>
  oneLine(namesPlace(name) ? address : name);
