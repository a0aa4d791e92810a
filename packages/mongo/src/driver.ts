import { createRequire } from 'node:module';

const fromMongoose = createRequire(require.resolve('mongoose'));

/** A file of the very driver that mongoose uses, for what the driver does not offer. @param file below `mongodb/lib` */
export const driverFile = <T>(file: string): T => fromMongoose(`mongodb/lib/${file}`) as T;
