/** A scanner that types is quicker than any person, and for as long as a code is. */
export const SCANNER_KEY_MS = 60;
export const CODE_LENGTH_MIN = 4;
