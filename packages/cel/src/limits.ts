/** What min and max take is any number: more arguments than an expression can be long would be another matter. */
export const CALL_ARGUMENTS_MAX = 100;
