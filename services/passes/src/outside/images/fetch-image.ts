import { complaintAboutUrl } from '@laurel/outbound';
import { type Dispatcher, request } from 'undici';

export const FETCH_MS_MAX = 10_000;
export const FILE_BYTES_MAX = 5 * 1024 * 1024;
const REDIRECTS_MAX = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
const ACCEPT = 'image/png, image/jpeg, image/webp, image/gif';

/**
 * The bytes behind an address of a stranger; null where there are none to be had. Only https, only public addresses
 * (asked anew at every redirect; the dispatcher looks at each address that is dialled), at most 5 MiB in 10 seconds.
 */
export async function fetchBytes(url: string, dispatcher: Dispatcher): Promise<Buffer | null> {
  const signal = AbortSignal.timeout(FETCH_MS_MAX);
  let address = url;
  try {
    for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
      if (complaintAboutUrl(address, { allowInsecure: false }) !== null) return null;
      const reply = await request(address, { dispatcher, signal, headers: { accept: ACCEPT } });
      const { location } = reply.headers;
      if (!REDIRECTS.includes(reply.statusCode))
        return reply.statusCode === 200 ? await bytesOf(reply.body) : await nothing(reply.body);
      await nothing(reply.body);
      if (typeof location !== 'string' || !URL.canParse(location, address)) return null;
      address = new URL(location, address).href;
    }
    return null;
  } catch {
    return null;
  }
}

async function bytesOf(body: Dispatcher.ResponseData['body']): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > FILE_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Hangs up: what is not wanted is not read. */
async function nothing(body: Dispatcher.ResponseData['body']): Promise<null> {
  body.on('error', () => undefined).destroy();
  return null;
}
