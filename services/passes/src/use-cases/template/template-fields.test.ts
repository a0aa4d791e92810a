import type { Refusal } from '@laurel/errors';
import type { PassDeps } from '../../deps';
import { requireKnownReferences } from './template-fields';

const KNOWN = '2f0c1f5e-5d1b-4c3c-9f0e-0f6f5b8f0a01';
const UNKNOWN = '2f0c1f5e-5d1b-4c3c-9f0e-0f6f5b8f0a02';

const deps = {
  files: { unknownAmong: async (_: string, ids: string[]) => ids.filter((id) => id !== KNOWN) },
  tiers: { GetTiers: async () => ({ tiers: [] }) },
} as unknown as Pick<PassDeps, 'files' | 'tiers'>;

test('every reference of a template that names nothing is a problem of its own', async () => {
  const images = { icon: UNKNOWN, logo: KNOWN, cover_image: 'http://shop.example/a.png' };
  const refused = requireKnownReferences(deps, 'w', { ...images, tier_id: UNKNOWN });
  const { problems } = await refused.then(
    () => Promise.reject(new Error('it was taken')),
    (error: Refusal) => error,
  );
  expect(problems.map(({ field }) => field).sort()).toEqual(['cover_image', 'icon', 'tier_id']);
  await requireKnownReferences(deps, 'w', { icon: KNOWN, logo: null, tier_id: null });
});
