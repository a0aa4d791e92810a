// The thread of `openLinksApart`.
import { parentPort, workerData } from 'node:worker_threads';
import { openLinks } from './links.mjs';

const { urls } = await openLinks(workerData.urls, workerData.lateMs);
parentPort?.postMessage(urls);
