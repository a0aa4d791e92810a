const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is the id of something, and no name or key that people give. */
export const isId = (text: string): boolean => UUID.test(text);
