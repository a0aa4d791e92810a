import { type Pass, switchedPass } from './pass';

interface Place {
  id: string;
  project_id: string;
}

/** The pass with the target wherever it had the template: where it is, and where it goes back to, be it when its tier ends. */
export function movedPass(pass: Pass, templateId: string, target: Place): Pass {
  const { tier_template: tier } = pass;
  const after = (id: string) => (id === templateId ? target.id : id);
  const moved = { id: after(tier?.id ?? ''), before: after(tier?.before ?? '') };
  // Of two that have become one there is no way back.
  const tier_template = tier && moved.id !== moved.before ? moved : null;
  return { ...placedPass(pass, templateId, target), tier_template };
}

function placedPass(pass: Pass, templateId: string, target: Place): Pass {
  const { pass_template_id, previous_template_id, template_expires_at: expiresAt } = pass;
  if (pass_template_id === templateId) {
    const place = { templateId: target.id, projectId: target.project_id, expiresAt };
    return switchedPass(pass, place);
  }
  if (previous_template_id !== templateId) return pass;
  if (pass_template_id === target.id)
    return { ...pass, previous_template_id: null, template_expires_at: null };
  return { ...pass, previous_template_id: target.id };
}
