export { pascalCase } from './alternatives';
export { toJsonSchema } from './convert';
export type { Direction, Gathered, JsonSchema, Meta } from './described';
export { patternOf } from './scalars';
