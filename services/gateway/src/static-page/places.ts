/** Where a page stands and what it may do there. */
export interface PagePlace {
  /** The addresses at which its frame is sent. */
  addresses: readonly string[];
  /** Below which its files are, e.g. `/account/`. */
  base: string;
  /** `{nonce}` in it is another in each answer, and stands in the frame as well. */
  policy: string;
  permissions: string;
}

/** Nothing but what the gateway itself serves, no inline script and no inline style; no site frames the page. */
const STRICT = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob: https:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

const policyOf = (directives: Record<string, string>): string =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

/** Signing in and up, and everything that a mailed link of ours leads to. */
export const accountPlace: PagePlace = {
  addresses: [
    '/sign-in',
    '/register',
    '/forgot-password',
    '/reset-password',
    '/verify-email',
    '/invitation',
    '/welcome',
  ],
  base: '/account/',
  policy: policyOf(STRICT),
  permissions: 'camera=(), microphone=(), geolocation=()',
};

/** What staff hold in their hands: it scans, so it has the camera and may run the scanner's WebAssembly. */
export const tillPlace: PagePlace = {
  addresses: ['/till/', '/till'],
  base: '/till/',
  policy: policyOf({
    ...STRICT,
    'script-src': "'self' 'wasm-unsafe-eval'",
    'worker-src': "'self'",
    'manifest-src': "'self'",
    'media-src': "'self' blob:",
  }),
  permissions: 'camera=(self), microphone=(), geolocation=()',
};

/** Where owners and their people work. Its parts make style elements, which need the nonce of the answer. */
export const consolePlace: PagePlace = {
  addresses: ['/console', '/console/*page'],
  base: '/console/',
  policy: policyOf({
    ...STRICT,
    'style-src': "'self' 'nonce-{nonce}'",
    // How a mail looks: mail-frame.
    'frame-src': "'self'",
  }),
  permissions: 'camera=(), microphone=(), geolocation=()',
};

/** What everybody may read: no call leaves these pages but the one for what their search looks through. */
export const docsPlace = {
  base: '/docs/',
  policy: policyOf({ ...STRICT, 'img-src': "'self' data:" }),
  permissions: 'camera=(), microphone=(), geolocation=()',
};
