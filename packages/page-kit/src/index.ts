export { Refused, type Send, sendJson } from './http';
export { type Language, languageOf, languagesOf, type Plural, type Words } from './language';
export { newKey } from './new-key';
export { Button } from './parts/button';
export { Field } from './parts/field';
export { type FormState, useForm } from './parts/form';
export { Notice } from './parts/notice';
export { PasswordField } from './parts/password-field';
export { createPageSession, type PageSession, type SignedIn } from './session';
