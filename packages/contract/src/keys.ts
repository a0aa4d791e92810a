/** What files call a thing of a programme, whatever its name becomes (docs/adr/0022). */
export const KEY_PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** An id in its usual spelling; in capitals it is the same id. */
export const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
