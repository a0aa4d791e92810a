import { catalogue, platform } from '@laurel/errors';

/** How the door refuses a named token, whatever the operation; what its user may not do is refused as ever (docs/adr/0041). */
export const refusals = catalogue({
  scopeMissing: platform.forbidden.says('this needs a token with the scope {scope}'),
  notByNamedToken: platform.forbidden.says(
    'sign in to do this: no named token opens what is a person’s own',
  ),
  tokenOfAnotherWorkspace: platform.forbidden.says('this token is bound to another workspace'),
});
