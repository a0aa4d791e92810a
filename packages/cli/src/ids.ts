import { UUID_PATTERN } from '@laurel/contract';

/** Whether a text is the id of something, and no name or key that people give. */
export const isId = (text: string): boolean => UUID_PATTERN.test(text);
