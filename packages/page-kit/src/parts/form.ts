import { useRef, useState } from 'preact/hooks';
import { Refused } from '../http';

export interface FormState {
  isBusy: boolean;
  /** The refusal of the last try, until the next is answered. */
  refused: unknown;
  submit: (event: SubmitEvent) => Promise<void>;
}

/**
 * A form that works once at a time and keeps what was typed. After a refusal the first field that is wrong has the
 * focus. What was refused stands until the next answer: were it gone at once, all below would move up, and the second click
 * of two would fall on whatever came to lie there.
 */
export function useForm(
  work: (fields: Record<string, string>, form: HTMLFormElement) => Promise<void>,
): FormState {
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  // State arrives with the next drawing; two clicks may come before it.
  const busy = useRef(false);

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (busy.current) return;
    const form = event.currentTarget as HTMLFormElement;
    const fields = Object.fromEntries(
      [...new FormData(form)].map(([name, value]) => [name, String(value)]),
    );
    busy.current = true;
    setBusy(true);
    try {
      await work(fields, form);
      setRefused(null);
    } catch (error) {
      setRefused(error);
      focusWrong(form, error);
    } finally {
      busy.current = false;
      setBusy(false);
    }
  }
  return { isBusy, refused, submit };
}

function focusWrong(form: HTMLFormElement, error: unknown): void {
  if (!(error instanceof Refused)) return;
  const inputs = [...form.elements].filter((each) => each instanceof HTMLInputElement);
  inputs.find(({ name }) => name && error.about(name))?.focus();
}
