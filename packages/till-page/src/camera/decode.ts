/** Reads the code in a picture, if there is one. */
export type Decode = (picture: ImageData) => Promise<string | null>;
