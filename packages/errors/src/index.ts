export {
  cut,
  decodeRefusal,
  type EncodedRefusal,
  encodeRefusal,
  errorEntries,
  PROBLEMS_MAX,
} from './codec';
export { complaintAboutNumber, complaintAboutValue } from './field-value';
export { measurable, memberOf, parseJson } from './json';
export { complaintAboutLevels } from './levels';
export { problemOf, validated } from './mistake';
export { invalidField, invalidPayload, platform } from './platform';
export {
  catalogue,
  type DefinedRefusal,
  defineRefusal,
  defineTransientRefusal,
  isFinalRefusal,
  isRefusedAs,
  type Json,
  type JsonObject,
  type Problem,
  Refusal,
  type RefusalDefinition,
  type RefusalOptions,
} from './refusal';
export {
  complaintAboutLine,
  complaintAboutText,
  complaintAboutTexts,
  FORBIDDEN_KEYS,
  isForbiddenKey,
  isVisible,
  mayHoldUnkeepable,
  VISIBLE,
} from './text';
export { isAboutKey, usedKey } from './used-key';
