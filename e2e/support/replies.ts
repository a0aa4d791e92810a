import type { Reply } from './api';

/** What ids and timestamps look like, wherever they stand in a body. */
export const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
export const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

type Body = Pick<Reply, 'body'>;

/** The code of the first thing that is wrong; undefined where nothing is. */
export const codeOf = ({ body }: Body): string | undefined => body.errors?.[0]?.extensions.code;

/** The field that the first thing that is wrong is about. */
export const fieldOf = ({ body }: Body): string | undefined => body.errors?.[0]?.extensions.field;

/** Status, code and field of a refusal, to be compared in one go. */
export const problemOf = (reply: Reply) => [reply.status, codeOf(reply), fieldOf(reply)];
