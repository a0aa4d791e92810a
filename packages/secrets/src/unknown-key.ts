/** A value was encrypted with a key that this process was not given. */
export class UnknownKey extends Error {
  constructor(keyId: string) {
    super(`a secret is encrypted with the unknown key ${keyId}`);
  }
}
