/** Goes to the first field of a form that says what is wrong with it. */
export function focusWrong(form: HTMLFormElement | null | undefined): void {
  form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
}
