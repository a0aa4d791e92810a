import type { passes as api } from '@laurel/rpc';
import { type Answer, data } from '../../routing';

/** A template with what the workspace decided of it beside the rest. */
export function presentTemplate({ fields, ...template }: api.Template) {
  return { ...template, ...fields };
}

/** A saved template; `meta.warnings` names placeholders that nothing fills (part 3, section 10). */
export function presentSaved({ template, warnings }: api.SavedTemplate): Answer {
  return data(presentTemplate(template!), { warnings });
}
