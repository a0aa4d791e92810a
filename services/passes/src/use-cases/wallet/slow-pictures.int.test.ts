import { runInContext, systemContext } from '@laurel/lifecycle';
import { until } from '@laurel/testing';
import { unzipSync } from 'fflate';
import nock from 'nock';
import sharp from 'sharp';
import { type Dispatcher, MockAgent } from 'undici';
import type { Pass } from '../../domain/pass/pass';
import { makeLocalGoogle } from '../../outside/credentials/make-local';
import { GOOGLE, Harness, pushDue } from '../../testing/wallet-harness';
import { refreshImageSource } from '../file/image-sources';
import { createImages } from '../file/images';
import { getLatestApplePass, registerAppleDevice } from './apple-devices';
import { getApplePass } from './get-apple-pass';
import { getGoogleLink } from './get-google-link';

const HOST = 'https://images.example.com';
const LOGO = `${HOST}/logo.png`;
const CALLERS = 20;
/** So many of them may wait. */
const WAITING = 8;

let harness: Harness;
let agent: MockAgent;
/** Addresses that were dialled and do not answer yet. */
let held: (() => void)[];
let deps: Harness['deps'];
beforeEach(async () => {
  harness = await Harness.open();
  agent = new MockAgent();
  agent.disableNetConnect();
  held = [];
  const dispatch = (...given: Parameters<MockAgent['dispatch']>) => {
    held.push(() => agent.dispatch(...given));
    return true;
  };
  const dispatcher = { dispatch } as unknown as Dispatcher;
  deps = { ...harness.deps, images: createImages(harness.deps, dispatcher) };
});
afterEach(async () => {
  nock.cleanAll();
  await agent.close();
  await harness.close();
});

const asCaller = <T>(work: () => Promise<T>): Promise<T> => runInContext(systemContext(), work);
const linkOf = (pass: Pass, wallet: 'apple' | 'google') => {
  const path = new URL(deps.links.urlsOf(pass)[`${wallet}_pass_url`]).pathname;
  return { pass_id: pass.id, signature: path.split('/')[3]! };
};
/** Lets the addresses answer that were dialled, with a picture of one colour. */
async function answer(background = 'red'): Promise<void> {
  const create = { width: 8, height: 4, channels: 3 as const, background };
  const picture = await sharp({ create }).png().toBuffer();
  for (const go of held.splice(0)) {
    agent.get(HOST).intercept({ path: /.*/ }).reply(200, picture);
    go();
  }
}

interface Drawn {
  hasLogo: boolean;
  logo: string;
}
const logoIn = (content: Uint8Array | undefined): Drawn => {
  const logo = unzipSync(content!)['logo.png'];
  return { hasLogo: logo !== undefined, logo: Buffer.from(logo ?? []).toString('base64') };
};

/** Many callers draw the card of a pass, each for itself; what came of it so far. */
function drawnByMany(passes: readonly Pass[]): { drawn: Drawn[]; all: Promise<unknown> } {
  const drawn: Drawn[] = [];
  const all = Promise.all(
    Array.from({ length: CALLERS }, (_, at) =>
      asCaller(async () => {
        const link = linkOf(passes[at % passes.length]!, 'apple');
        drawn.push(logoIn((await getApplePass(deps, link)).content));
      }),
    ),
  );
  return { drawn, all };
}

test('few of those who draw cards of a workspace wait for a slow picture, of the same card or not, and the others get theirs without', async () => {
  const template = await harness.newTemplate({ logo: LOGO });
  const own = { logo: LOGO, cover_image: `${HOST}/of-one-member.png` };
  const [pass, another] = [
    await harness.newPass(template),
    await harness.newPass(await harness.newTemplate(own)),
  ];
  const { drawn, all } = drawnByMany([pass, another]);
  await until(() => drawn.length === CALLERS - WAITING);
  expect(drawn.some(({ hasLogo }) => hasLogo)).toBe(false);
  // Those who wait share what is asked.
  expect(held.length).toBeLessThanOrEqual(2);
  await answer();
  await until(async () => {
    await answer();
    return drawn.length === CALLERS;
  });
  await all;
  expect(drawn.slice(CALLERS - WAITING).every(({ hasLogo }) => hasLogo)).toBe(true);
});

test('a phone that got its card without the picture hears of it once it is there', async () => {
  const pass = await harness.newPass(await harness.newTemplate({ logo: LOGO }));
  const call = harness.call(pass, 'phone');
  await registerAppleDevice(harness.deps, call);
  await pushDue(harness.deps);
  harness.pushed.splice(0);
  const { drawn, all } = drawnByMany([pass]);
  await until(() => drawn.length === CALLERS - WAITING);
  const card = await asCaller(() => getLatestApplePass(deps, call));
  expect(logoIn(card.content).hasLogo).toBe(false);
  await answer();
  await all;
  harness.clock.advanceMs(10_000);
  await pushDue(deps);
  expect(harness.pushed).toEqual(['token of phone']);
  const { content } = await asCaller(() => getLatestApplePass(deps, call));
  expect(logoIn(content).hasLogo).toBe(true);
});

test('that a phone has its card without the picture is noted before the push is asked for that brings it', async () => {
  const pass = await harness.newPass(await harness.newTemplate({ logo: LOGO }));
  const call = harness.call(pass, 'phone');
  await registerAppleDevice(harness.deps, call);
  const { drawn, all } = drawnByMany([pass]);
  await until(() => drawn.length === CALLERS - WAITING);
  const order: string[] = [];
  const { registrations, passUpdates } = deps;
  const watched = {
    ...deps,
    registrations: {
      ...registrations,
      noteServed: async (...served: Parameters<typeof registrations.noteServed>) => {
        await registrations.noteServed(...served);
        order.push('noted');
      },
    },
    passUpdates: {
      ...passUpdates,
      remind: async (...asked: Parameters<typeof passUpdates.remind>) => {
        order.push('asked for');
        await passUpdates.remind(...asked);
      },
    },
  };
  await asCaller(() => getLatestApplePass(watched, call));
  expect(order).toEqual(['noted', 'asked for']);
  await answer();
  await all;
});

test('a link to Google is not refused for a picture that too many wait for, and Google is given the picture later', async () => {
  const sent: object[] = [];
  const google = nock(GOOGLE).persist();
  google.post('/token').reply(200, { access_token: 'a-token', expires_in: 3600 });
  google.put(/.*/).reply(200, (path: string, body: nock.Body) => {
    if (path.includes('Object/')) sent.push(body as object);
    return body as object;
  });
  const given = { ...(await makeLocalGoogle()), issuerId: '33' };
  const account = { wallet: 'google' as const, given };
  await deps.credentialsStore.put(harness.workspaceId, account, harness.clock.now());
  const pass = await harness.newPass(await harness.newTemplate({ cover_image: LOGO }));
  const { drawn, all } = drawnByMany([pass]);
  await until(() => drawn.length === CALLERS - WAITING);
  const { url } = await asCaller(() => getGoogleLink(deps, linkOf(pass, 'google')));
  expect(url).toMatch(/^https:/);
  expect(sent).toEqual([expect.not.objectContaining({ heroImage: expect.anything() })]);
  await answer();
  await all;
  harness.clock.advanceMs(10_000);
  await pushDue(deps);
  expect(sent.slice(1)).toEqual([expect.objectContaining({ heroImage: expect.anything() })]);
});

test('a picture that is fetched anew stands on the card that is asked for then, though an earlier one waits for another picture', async () => {
  const template = await harness.newTemplate({ logo: LOGO, cover_image: `${HOST}/cover.png` });
  const pass = await harness.newPass(template);
  const { workspaceId: workspace_id } = harness;
  const fetching = deps.images.idOf(workspace_id, LOGO);
  await until(() => held.length === 1);
  await answer('red');
  await fetching;
  const link = linkOf(pass, 'apple');
  const earlier = asCaller(() => getApplePass(deps, link));
  await until(() => held.length === 1);
  await refreshImageSource({ images: deps.images }, { workspace_id, source_url: LOGO });
  const later = asCaller(() => getApplePass(deps, link));
  await until(() => held.length === 2);
  await answer('blue');
  const [before, after] = await Promise.all([earlier, later]);
  expect(logoIn(after.content).logo).not.toBe(logoIn(before.content).logo);
});
