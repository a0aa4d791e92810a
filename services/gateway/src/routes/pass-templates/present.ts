import type { passes as api } from '@laurel/rpc';
import { type Answer, data, tagged } from '../../routing';

/** A template with what the workspace decided of it beside the rest. */
export function presentTemplate({ fields, etag: _etag, ...template }: api.Template) {
  return { ...template, ...fields };
}

/** A saved template; `meta.warnings` names placeholders that nothing fills (part 3, section 10). */
export function presentSaved({ template, warnings }: api.SavedTemplate): Answer {
  return tagged(data(presentTemplate(template!), { warnings }), template!.etag);
}
