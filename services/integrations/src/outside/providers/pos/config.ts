import { Joi } from '@laurel/config';
import { UUID_PATTERN } from '@laurel/contract';
import type { JsonObject, Problem } from '@laurel/errors';
import { FINDERS, type Finder } from '../../../domain/read-event';

const LOCATIONS_MAX = 1_000;
const TIERS_MAX = 100;

const locationId = Joi.number().integer();

export const configSchema = Joi.object({
  base_url: Joi.string(),
  location_ids: Joi.array().items(locationId).max(LOCATIONS_MAX).unique(),
  default_location_id: locationId,
  tier_mappings: Joi.object()
    .pattern(UUID_PATTERN, Joi.alternatives(Joi.string().min(1).max(255), Joi.number()))
    .max(TIERS_MAX),
  customer_id_mapping: Joi.object(
    Object.fromEntries(FINDERS.map((finder) => [finder, Joi.string().min(1).max(255)])),
  ),
});

export interface PosConfig {
  base_url?: string;
  /** The locations that take part; all of them when empty. */
  location_ids?: number[];
  /** Where a transaction belongs that names no location, and where new customers are put. */
  default_location_id?: number;
  /** Tier id -> the customer group that its clients are in. */
  tier_mappings?: Record<string, string | number>;
  /** Way to find a client -> the member of the POS's customer that holds it. */
  customer_id_mapping?: Partial<Record<Finder, string>>;
}

const CUSTOMER_ID_MAPPING = {
  external_id: 'id',
  barcode_value: 'card_number',
  email: 'email',
  phone: 'phone',
} as const;

export const posConfig = (config: JsonObject): PosConfig => config as PosConfig;

export const customerIdMapping = ({ customer_id_mapping: mapping }: PosConfig) =>
  mapping && Object.keys(mapping).length > 0 ? mapping : CUSTOMER_ID_MAPPING;

/** What the form cannot see: the default must be one of the locations. */
export function complaintAboutLocations(config: JsonObject): Problem[] {
  const { location_ids: locations = [], default_location_id: fallback } = posConfig(config);
  if (fallback === undefined || locations.length === 0 || locations.includes(fallback)) return [];
  return [
    { field: 'default_location_id', message: 'default_location_id must be one of location_ids' },
  ];
}
