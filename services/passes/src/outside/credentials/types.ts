/** What signs .pkpass files and authenticates their pushes. All PEM. */
export interface AppleCredentials {
  /** Null for credentials made here: they sign whatever a template asks for. */
  passTypeIdentifier: string | null;
  teamIdentifier: string;
  certificate: string;
  key: string;
  passphrase?: string;
  /** The certificate that issued `certificate`. */
  issuer: string;
}

/** Who issues Google passes. */
export interface GoogleCredentials {
  issuerId: string;
  email: string;
  /** PEM. */
  key: string;
}

/** Credentials, and whether phones will trust what they sign. */
export type Trusted<T> = T & { trusted: boolean };

/** What a wallet still lacks before phones accept its passes. */
export interface Readiness {
  ready: boolean;
  missing: string[];
  /** Whether the workspace gave the credentials in use. */
  own: boolean;
  /** The last moment of the certificate in use, ISO 8601; null where there is none. */
  valid_until: string | null;
}
