import { Button, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useText } from '../text';
import { useToast } from './toast';

/** Something to put elsewhere, with a button that copies it. Where a browser does not let that happen it stands there selected. */
export function CopyText({
  label,
  value,
  rows = 1,
  isLabelHidden = false,
}: {
  label: string;
  value: string;
  rows?: number;
  isLabelHidden?: boolean;
}): ReactNode {
  const { say } = useText();
  const toast = useToast();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const copy = async () => {
    field.current?.select();
    // Pages without TLS have no clipboard.
    const isCopied = await navigator.clipboard?.writeText(value).then(
      () => true,
      () => false,
    );
    if (isCopied) toast({ text: say('copied') });
  };
  const named = isLabelHidden ? { 'aria-label': label } : { label };
  const common = { className: 'grow', ref: field, readOnly: true, value, ...named };
  return (
    <div className="row row-end">
      {rows === 1 ? <TextInput {...common} /> : <Textarea {...common} rows={rows} />}
      <Button variant="default" onClick={() => void copy()}>
        {say('copy')}
      </Button>
    </div>
  );
}
