import { fileURLToPath } from 'node:url';
import { buildPage } from '@laurel/page-kit/build';

const root = fileURLToPath(new URL('.', import.meta.url));
await buildPage({ root, base: '/till/', serviceWorker: 'src/service-worker.ts' });
