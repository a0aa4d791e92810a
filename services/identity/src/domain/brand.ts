import type { PortalSettings } from './portal';

/** How a shop looks wherever nothing else is said; null where it does not say. */
export interface BrandSettings {
  name: string | null;
  /** Files of the workspace. */
  logo: string | null;
  icon: string | null;
  /** #RRGGBB */
  primary_color: string | null;
  background_color: string | null;
  privacy_url: string | null;
  imprint_url: string | null;
}

const noBrand: Readonly<BrandSettings> = {
  name: null,
  logo: null,
  icon: null,
  primary_color: null,
  background_color: null,
  privacy_url: null,
  imprint_url: null,
};

/** A brand as it stands: what was set, and null for the rest. */
export const brandOf = (stored: Partial<BrandSettings> = {}): BrandSettings => ({
  ...noBrand,
  ...stored,
});

/**
 * What a portal takes of a brand where it says nothing itself.
 *
 * @param publicUrl of the platform, where the pictures are
 */
export function portalFromBrand(
  stored: Partial<BrandSettings> | undefined,
  publicUrl: string,
): Pick<PortalSettings, 'logo_url' | 'privacy_url'> & {
  primary_color: string | null;
  background_color: string | null;
} {
  const { logo, primary_color, background_color, privacy_url } = brandOf(stored);
  return {
    logo_url: logo === null ? null : `${publicUrl}/assets/${logo}?height=160`,
    primary_color,
    background_color,
    privacy_url,
  };
}
