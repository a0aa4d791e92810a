import { randomBytes } from 'node:crypto';
import { deriveKey, KEY_BYTES } from '@laurel/secrets';
import type { LinkKeyStore, LinkKeys } from '../../store/link-keys';

const LINKS = 'laurel pass links';
const TOKENS = 'laurel apple pass tokens';

interface Secrets {
  secretsKey: string;
  secretsKeyPrevious?: string | undefined;
  passLinkSecret?: string | undefined;
}

/**
 * The keys that sign links and tokens of passes: made at the first start, kept sealed from then on, so that links in
 * mails and passes on phones outlive every rotation (ADR 11). An installation that gave passes out before it kept keys
 * signed with what it derived from its secrets: those keys are taken over.
 */
export async function openLinkKeys(
  { linkKeys, isAnyPass }: { linkKeys: LinkKeyStore; isAnyPass(): Promise<boolean> },
  secrets: Secrets,
): Promise<LinkKeys> {
  for (;;) {
    const stored = await linkKeys.read();
    if (!stored) {
      const first = (await isAnyPass()) ? keysBefore(secrets) : newKeys(secrets);
      if (await linkKeys.insert(first)) return first;
      continue;
    }
    const wanted = withChosen(stored.keys, secrets);
    if (wanted === stored.keys || (await linkKeys.replace(stored.sealed, wanted))) return wanted;
  }
}

/** The keys that follow from a secret. */
export function derivedKeys(secret: string): { links: Buffer; tokens: Buffer } {
  return {
    links: deriveKey(secret, { purpose: LINKS }),
    tokens: deriveKey(secret, { purpose: TOKENS }),
  };
}

function newKeys({ passLinkSecret }: Secrets): LinkKeys {
  if (passLinkSecret) return ring([passLinkSecret]);
  return { links: [randomBytes(KEY_BYTES)], tokens: [randomBytes(KEY_BYTES)] };
}

/** What passes given out before keys were kept may have been signed with. */
function keysBefore({ secretsKey, secretsKeyPrevious, passLinkSecret }: Secrets): LinkKeys {
  if (passLinkSecret) return ring([passLinkSecret]);
  return ring([secretsKey, ...(secretsKeyPrevious ? [secretsKeyPrevious] : [])]);
}

/** Puts the key of a chosen secret first; the same object where it stands there. */
function withChosen(keys: LinkKeys, { passLinkSecret }: Secrets): LinkKeys {
  if (!passLinkSecret) return keys;
  const chosen = derivedKeys(passLinkSecret);
  if (keys.links[0]?.equals(chosen.links)) return keys;
  const others = (known: readonly Buffer[], key: Buffer) => known.filter((one) => !one.equals(key));
  return {
    links: [chosen.links, ...others(keys.links, chosen.links)],
    tokens: [chosen.tokens, ...others(keys.tokens, chosen.tokens)],
  };
}

function ring(secrets: readonly string[]): LinkKeys {
  const derived = secrets.map(derivedKeys);
  return { links: derived.map(({ links }) => links), tokens: derived.map(({ tokens }) => tokens) };
}
