/** One question of a form, as the API gives it. */
export interface FormField {
  name: string;
  label: string;
  type: string;
  required: boolean;
  options?: string[];
}

export interface Workspace {
  id: string;
  name: string;
  slug: string;
}

export interface Form {
  form_fields_config: FormField[];
  privacy_url?: string | null;
  terms_url?: string | null;
  workspace: Workspace;
}

/** What is sent; what was left empty is left out. */
export interface Answers {
  email?: string;
  first_name?: string;
  last_name?: string;
  phone?: string;
  marketing_consent?: true;
  custom_fields: Record<string, string | number | boolean>;
  referral_code?: string;
}

export interface Enrolled {
  data: {
    pass_id: string | null;
    /** Null for a wallet that would not take the pass, and, as the token is, for somebody who was known: then a link was mailed to them. */
    apple_pass_url: string | null;
    google_pass_url: string | null;
    client_token: string | null;
  };
  isResend: boolean;
  emailSent: boolean;
  referral?: { outcome: string };
}

/** What somebody who is known is asked to confirm. */
export interface Confirmation {
  workspace: Workspace;
  answers: { name: string; label: string; value: string }[];
  /** Null where no consent was given. */
  consent_text: string | null;
  privacy_url: string | null;
  terms_url: string | null;
}
