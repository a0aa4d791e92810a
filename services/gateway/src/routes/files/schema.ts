import { PICTURE_FAULTS, PICTURE_USES } from '@laurel/contract';
import { Joi, timestamp, uuid } from '../../schema/types';

const SIDE_MAX = 2_000;

export interface UploadFields {
  workspace_id: string;
  purpose?: string;
}

export const upload = Joi.object<UploadFields>({
  workspace_id: uuid().required(),
  purpose: Joi.string().valid(...PICTURE_USES),
});

export const storedFile = Joi.object({
  id: uuid().required(),
  filename: Joi.string().required(),
  mime_type: Joi.string().valid('image/png', 'image/jpeg', 'image/webp', 'image/gif').required(),
  size: Joi.number().integer().required(),
  width: Joi.number().integer().required(),
  height: Joi.number().integer().required(),
}).meta({ name: 'StoredFile' });

export const storedPicture = storedFile
  .keys({
    warnings: Joi.array()
      .items(
        Joi.object({
          code: Joi.string()
            .valid(...PICTURE_FAULTS)
            .required(),
          message: Joi.string().required(),
        }),
      )
      .required()
      .description('What will look poor about it; none without a purpose.'),
  })
  .meta({ name: 'StoredPicture' });

export const storedFiles = Joi.array().items(
  storedFile.keys({ date_created: timestamp().required() }).meta({ name: 'ListedFile' }),
);

const LIST = { max: 1_000, default: 50 };
export const listFiles = Joi.object<{ limit: number; cursor?: string; sha256?: string }>({
  limit: Joi.number().integer().min(1).max(LIST.max).default(LIST.default),
  cursor: Joi.string().max(500),
  sha256: Joi.string()
    .pattern(/^[0-9a-f]{64}$/)
    .description('In hex, of the bytes that were uploaded or of those that are kept.'),
});

const side = Joi.number().integer().min(1).max(SIDE_MAX);
export const readAsset = Joi.object<{ width?: number; height?: number; fit?: string }>({
  width: side,
  height: side,
  fit: Joi.string().valid('cover', 'contain'),
});
