import { fileURLToPath } from 'node:url';
import { buildPage } from '@laurel/page-kit/build';

const root = fileURLToPath(new URL('.', import.meta.url));
await buildPage({ root, base: '/console/', jsx: 'react', cspNonce: '__NONCE__' });
