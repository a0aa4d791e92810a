import { type Language, languageOf } from '@laurel/contract';
import type { passes as api } from '@laurel/rpc';
import type { EnrollmentDeps } from '../../deps';
import { type Distribution, isOpenAt } from '../../domain/distribution/distribution';
import { type Form, formOf } from '../../domain/enrollment/form';
import { wordings } from '../../domain/enrollment/wordings';
import { refusals } from '../../refusals';

type Deps = Pick<
  EnrollmentDeps,
  'distributions' | 'submissions' | 'enrollees' | 'identity' | 'clock'
>;

/** A form that somebody may fill in, with everything that binds it. */
export interface OpenForm {
  distribution: Distribution;
  form: Form;
  workspace: { id: string; name: string; slug: string; language: Language };
  /** Of the form, else of the brand. */
  privacyUrl: string | null;
}

/**
 * The distribution behind a token or page, whether its form is open or not. An unknown token, an unknown page and one
 * that is switched off are all not found.
 */
export async function findDoor(
  deps: Pick<Deps, 'distributions'>,
  door: api.FormDoor | undefined,
): Promise<Distribution> {
  const distribution = await findDistribution(deps, door);
  if (!distribution) throw refusals.formNotFound();
  return distribution;
}

/**
 * The form of a distribution. A paused or archived one is closed (part 3, section 1.1), as is one outside of its time or
 * sent as often as it may be.
 *
 * @param isLimited false where the caller that writes the form down counts it
 */
export async function openForm(
  deps: Deps,
  distribution: Distribution,
  { isLimited }: { isLimited: boolean },
): Promise<OpenForm> {
  if (!isOpenAt(distribution, deps.clock.now())) throw refusals.enrollmentClosed();
  if (isLimited && (await isFull(deps, distribution))) throw refusals.enrollmentClosed();
  return formBehind(deps, distribution);
}

async function isFull(
  { submissions }: Deps,
  { id, workspace_id, submission_limit: limit }: Distribution,
): Promise<boolean> {
  return limit !== null && (await submissions.countOf(workspace_id, id)) >= limit;
}

/** The form of a distribution as it binds, whether it is open or not. */
export async function formBehind(
  deps: Pick<Deps, 'enrollees' | 'identity'>,
  distribution: Distribution,
): Promise<OpenForm> {
  const { workspace_id } = distribution;
  const [{ fields }, workspace] = await Promise.all([
    deps.enrollees.ListFields({ workspace_id }),
    deps.identity.GetWorkspace({ workspace_id }),
  ]);
  const { id, slug, brand } = workspace;
  const name = brand?.name ?? workspace.name;
  const privacyUrl = distribution.privacy_url ?? brand?.privacy_url ?? null;
  const language = languageOf(workspace.default_locale);
  const form = formOf(distribution, fields, wordings[language].consent);
  return { distribution, form, workspace: { id, name, slug, language }, privacyUrl };
}

async function findDistribution(
  { distributions }: Pick<Deps, 'distributions'>,
  door: api.FormDoor | undefined,
): Promise<Distribution | null> {
  if (door?.token_sha256 !== undefined)
    return distributions.findByDoor({ tokenSha256: door.token_sha256 });
  if (door?.distribution_id === undefined) return null;
  const distribution = await distributions.findByDoor({ id: door.distribution_id });
  return distribution?.page_enabled ? distribution : null;
}

/** The form as anybody may see it. */
export async function getEnrollmentForm(
  deps: Deps,
  door: api.FormDoor,
): Promise<api.EnrollmentForm> {
  const found = await findDoor(deps, door);
  const { distribution, form, workspace, privacyUrl } = await openForm(deps, found, {
    isLimited: true,
  });
  const { language: locale, ...named } = workspace;
  return {
    id: distribution.id,
    status: distribution.status,
    delivery_mode: distribution.delivery_mode,
    form_fields_config: form.fields,
    require_marketing_consent: form.requiresConsent,
    privacy_url: privacyUrl,
    terms_url: distribution.terms_url,
    workspace: { ...named, locale },
  };
}

/** Which origins may use the form behind a token; any may read that there is no such form. */
export async function getAllowedOrigins(
  { distributions }: Pick<Deps, 'distributions'>,
  { token_sha256: tokenSha256 }: api.FormDoor,
): Promise<api.AllowedOrigins> {
  const distribution =
    tokenSha256 === undefined ? null : await distributions.findByDoor({ tokenSha256 });
  return { origins: distribution?.allowed_origins ?? ['*'] };
}
