/** What the API or a file says of one thing. */
export type Body = Record<string, unknown>;
