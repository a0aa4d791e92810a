/**
 * Passes over a failure that changes nothing; `why` says to the reader why it does not:
 * `channel.close().catch(mayFail('a channel that is lost is closed'))`. What swallows an error says so by this name.
 */
export const mayFail = (_why: string) => (): undefined => undefined;
