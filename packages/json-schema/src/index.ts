export { pascalCase } from './alternatives';
export { toJsonSchema } from './convert';
export type { Direction, JsonSchema, Meta } from './described';
export { patternOf } from './scalars';
