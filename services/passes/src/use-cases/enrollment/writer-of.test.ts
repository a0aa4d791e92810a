import { platform } from '@laurel/errors';
import type { EnrollmentDeps } from '../../deps';
import { lookOfBrand } from '../template/look-of-brand';
import { writerOf } from './writer-of';

const UNIMPLEMENTED = 12;
/** As a client of @laurel/rpc rejects where no server knows the rpc. */
const notThereYet = async (): Promise<never> => {
  throw Object.assign(platform.serviceUnavailable(), { cause: { code: UNIMPLEMENTED } });
};

/** An identity of the release before: it knows of no brands and of no words of a shop's own. */
const earlier = {
  GetBrand: notThereYet,
  GetMailWriter: notThereYet,
  GetWorkspace: async () => ({ name: 'Corner\nCoffee', default_locale: 'de' }),
  GetPortalConfig: async () => ({
    config: { primary_color: '#1F6F54', logo_url: null },
    login_mode: 'link',
  }),
} as unknown as EnrollmentDeps['identity'];

test('a mail is written as before while identity is still of the release before', async () => {
  expect(await writerOf({ identity: earlier }, 'w', 'pass')).toEqual({
    language: 'de',
    brand: {
      name: 'Corner Coffee',
      colour: '#1F6F54',
      logoUrl: null,
      replyTo: null,
      privacyUrl: null,
      imprintUrl: null,
    },
    own: null,
  });
});

test('a new card takes no look of a brand while identity is still of the release before', async () => {
  const files = { unknownAmong: async () => [] };
  const deps = { identity: earlier, files } as unknown as Parameters<typeof lookOfBrand>[0];
  expect(await lookOfBrand(deps, 'w')).toEqual({});
});
