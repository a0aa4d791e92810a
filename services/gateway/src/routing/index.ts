export {
  type Answer,
  bare,
  data,
  file,
  live,
  message,
  noContent,
  redirect,
  replayed,
  stream,
  tagged,
  versioned,
  withHeaders,
  withStatus,
} from './answer';
export { partsOf } from './parts';
export { del, get, type Input, patch, post, put, type Route, takesKey } from './route';
export { opens, type Scope } from './scopes';
export {
  embed,
  type FindWorkspace,
  type LimitName,
  member,
  memberOfField,
  memberOfRow,
  mobile,
  open,
  page,
  portal,
  type Stack,
  user,
  workspaceOfRow,
} from './stacks';
export { answerOf } from './whole-list';
export { withoutDeadline } from './without-deadline';
