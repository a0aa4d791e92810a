/** A sealed value that gives nothing back. */
export class Unreadable extends Error {}

/** A value was encrypted with a key that this process was not given. */
export class UnknownKey extends Unreadable {
  constructor(keyId: string) {
    super(`a secret is encrypted with the unknown key ${keyId}`);
  }
}

/** The key is known, and the value is not what it sealed for this place. */
export class DamagedSecret extends Unreadable {
  constructor(cause: unknown) {
    super('a secret was changed or moved since it was encrypted', { cause });
  }
}
