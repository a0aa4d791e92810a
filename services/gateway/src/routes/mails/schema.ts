import { LANGUAGES, SHOP_MAIL_KINDS } from '@laurel/contract';
import { Joi, notBlank, nullable, oneLine, text } from '../../schema/types';

const SUBJECT_MAX = 150;
const TEXT_MAX = 2_000;
const BUTTON_MAX = 60;

export interface MailWords {
  subject: string;
  text: string;
  button?: string | null;
}

const writable = {
  subject: oneLine(SUBJECT_MAX, 1)
    .required()
    .description('It and the text may hold placeholders of the mail, such as {{shop}}.'),
  text: notBlank(text(TEXT_MAX, 1))
    .required()
    .description('Plain text. An empty line begins a paragraph; nothing in it is markup.'),
  button: nullable(oneLine(BUTTON_MAX)).description(
    'The text of the button, where the mail has one; left out or null: the words of the platform.',
  ),
};

export const mailWords = Joi.object<MailWords>(writable);
export const previewMail = Joi.object<{ words?: MailWords | null }>({
  words: nullable(mailWords).description(
    'Not kept; left out or null: those that the mail has now.',
  ),
});

export const listMails = Joi.object<{ language?: string }>({
  language: Joi.string()
    .valid(...LANGUAGES)
    .description('If it is left out, that of the workspace.'),
});

/** Of the path. */
export const named = {
  kind: Joi.string().valid(...SHOP_MAIL_KINDS),
  language: Joi.string().valid(...LANGUAGES),
};

const shownWords = {
  subject: Joi.string().required(),
  text: Joi.string().required(),
  button: nullable(Joi.string()).required(),
};

export const mail = Joi.object({
  kind: named.kind.required(),
  language: named.language.required(),
  ...shownWords,
  default_words: Joi.object(shownWords).required().description('What the platform writes.'),
  is_own: Joi.boolean().required().description('Whether the workspace has words of its own.'),
  date_updated: nullable(Joi.string().isoDate()).required(),
  placeholders: Joi.array()
    .items(
      Joi.object({
        name: Joi.string().required(),
        sample: Joi.string().required().description('What a preview shows in its place.'),
        is_required: Joi.boolean().required().description('Whether the text must have it.'),
      }),
    )
    .required(),
}).meta({ name: 'ShopMail' });

export const mails = Joi.array().items(mail);

export const preview = Joi.object({
  subject: Joi.string().required(),
  text: Joi.string().required(),
  html: Joi.string().required().description('An HTML document without scripts and forms.'),
  from_name: Joi.string().required(),
  reply_to: nullable(Joi.string()).required(),
}).meta({ name: 'MailPreview' });
