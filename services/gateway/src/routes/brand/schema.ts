import { colour, Joi, nullable, oneLine, uuid } from '../../schema/types';
import { webAddress } from '../portal-config/schema';

const NAME_MAX = 255;

export interface BrandBody {
  name?: string | null;
  logo?: string | null;
  icon?: string | null;
  colours?: { primary?: string | null; background?: string | null };
  privacy_url?: string | null;
  imprint_url?: string | null;
}

const writable = {
  name: nullable(oneLine(NAME_MAX, 1)).description(
    'What customers call the shop; null: the name of the workspace.',
  ),
  logo: nullable(uuid()).description('A file of the workspace.'),
  icon: nullable(uuid()).description('A file of the workspace; square.'),
  colours: Joi.object({ primary: nullable(colour()), background: nullable(colour()) }),
  privacy_url: nullable(webAddress),
  imprint_url: nullable(webAddress),
};

export const putBrand = Joi.object<BrandBody>(writable);

export const brand = Joi.object({
  ...writable,
  colours: Joi.object({
    primary: nullable(colour()).required(),
    background: nullable(colour()).required(),
  }),
})
  .options({ presence: 'required' })
  .meta({ name: 'Brand' });
