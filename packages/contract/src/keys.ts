/** What files call a thing of a programme, whatever its name becomes (docs/adr/0022). */
export const KEY_PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/;
