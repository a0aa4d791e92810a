import {
  autocompletion,
  type Completion,
  type CompletionContext,
  closeBrackets,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { getNonce } from 'get-nonce';
import { type ReactNode, useEffect, useRef } from 'react';

/** As many as fit without scrolling: a list that scrolls could not be read by keyboard. */
const PROPOSED_MAX = 8;

/** What may stand in a formula. */
export interface FormulaWord {
  name: string;
  description: string;
}

export interface FormulaEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  variables: readonly FormulaWord[];
  functions: readonly FormulaWord[];
  /** What is wrong, and where; null while nothing is known to be. */
  wrong: { message: string; position: number } | null;
}

/**
 * The editor behind "as a formula": proposes the words while one types, and underlines what is wrong where it is. It is
 * loaded only where a formula is shown. Tab goes on to the next field, as everywhere.
 */
export default function FormulaEditor(props: FormulaEditorProps): ReactNode {
  const room = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  // What the editor asks for later must be what is shown then, not what was when it was made.
  const now = useRef(props);
  now.current = props;
  const { label, value, wrong } = props;

  useEffect(() => {
    const made = new EditorView({
      parent: room.current!,
      state: EditorState.create({
        doc: now.current.value,
        extensions: [
          history(),
          closeBrackets(),
          autocompletion({
            override: [(context) => propose(context, now.current)],
            maxRenderedOptions: PROPOSED_MAX,
          }),
          keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.lineWrapping,
          EditorView.cspNonce.of(getNonce() ?? ''),
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) now.current.onChange(state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, []);

  useEffect(() => {
    const { current } = view;
    if (!current || current.state.doc.toString() === value) return;
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const { current } = view;
    if (!current) return;
    const { length } = current.state.doc;
    const from = Math.min(wrong?.position ?? 0, Math.max(0, length - 1));
    const found = wrong
      ? [
          {
            from,
            to: Math.min(length, from + 1),
            severity: 'error' as const,
            message: wrong.message,
          },
        ]
      : [];
    current.dispatch(setDiagnostics(current.state, found));
  }, [wrong?.message, wrong?.position]);

  return <div className="formula-editor" ref={room} />;
}

/** What can follow at the cursor: everything that begins like what stands before it. */
function propose(
  context: CompletionContext,
  { variables, functions }: Pick<FormulaEditorProps, 'variables' | 'functions'>,
) {
  const before = context.matchBefore(/[\w.]+/);
  if (!before && !context.explicit) return null;
  const optionOf =
    (type: string) =>
    (word: FormulaWord): Completion => ({
      label: word.name,
      type,
      info: word.description,
    });
  return {
    from: before?.from ?? context.pos,
    options: [...variables.map(optionOf('variable')), ...functions.map(optionOf('function'))],
    validFor: /^[\w.]*$/,
  };
}
