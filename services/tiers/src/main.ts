import '@laurel/lifecycle/source-maps';
import { createLogger, runAsProcess } from '@laurel/lifecycle';
import { start } from './service';

runAsProcess(createLogger('tiers'), () => start());
