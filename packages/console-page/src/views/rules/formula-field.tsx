import { Input } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense } from 'react';
import { useConsole } from '../../console';
import { formulaInWords } from '../../in-words';
import { useAsk } from '../../parts/ask';

const FormulaEditor = lazy(() => import('./formula-editor'));

/** After the last key. */
const PAUSE_MS = 300;

/** A formula (CEL), checked while it is typed, with what may stand in it. */
export function FormulaField({
  label,
  value,
  error,
  onChange,
  expects,
}: {
  label: string;
  value: string;
  /** Why it was refused, where the check finds nothing. */
  error: string | undefined;
  onChange: (value: string) => void;
  expects: 'number' | 'boolean' | 'string';
}): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const [asked] = useDebouncedValue(value, PAUSE_MS);
  const check = useAsk(
    ['formula', expects, asked],
    () => laurel.automations.validateFormula({ expression: asked, expected_type: expects }),
    { isWanted: asked.trim() !== '' },
  );
  const metadata = useAsk(['metadata'], () => laurel.automations.getMetadata());
  // While another is looked at, what is known is of an earlier one.
  const known = asked === value && !check.isPlaceholderData ? check.data : undefined;
  const wrong = known && !known.valid ? known.error : undefined;
  return (
    <>
      <Input.Wrapper
        label={label}
        labelElement="div"
        error={
          wrong
            ? say('formula.wrong', {
                message: formulaInWords(say, wrong.message),
                position: wrong.position + 1,
              })
            : error
        }
        description={known?.valid ? say('formula.good') : say('formula.checking')}
      >
        <Suspense fallback={<pre>{value}</pre>}>
          <FormulaEditor
            label={label}
            value={value}
            onChange={onChange}
            variables={metadata.data?.expression_variables ?? []}
            functions={metadata.data?.expression_functions ?? []}
            wrong={wrong ?? null}
          />
        </Suspense>
      </Input.Wrapper>
      <details>
        <summary>{say('formula.words')}</summary>
        <dl className="facts formula-words">
          {[
            ...(metadata.data?.expression_variables ?? []),
            ...(metadata.data?.expression_functions ?? []),
          ].map((one) => (
            <div key={one.name}>
              <dt>
                <button
                  type="button"
                  className="text-button"
                  onClick={() =>
                    onChange(`${value}${value.endsWith(' ') || !value ? '' : ' '}${one.name}`)
                  }
                >
                  {one.name}
                </button>
              </dt>
              <dd>{one.description}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}
