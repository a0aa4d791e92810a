import type { CustomField } from '@laurel/client';
import { FIELD_TYPES } from '@laurel/contract';
import { codeOf } from '@laurel/page-kit/code-of';
import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useForget } from '../../parts/ask';
import { Sheet } from '../../parts/sheet';
import { useWish } from '../../parts/wish';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';

type Typed = Pick<CustomField, 'field_label' | 'field_type' | 'is_required' | 'options'>;
const BLANK: Typed = { field_label: '', field_type: 'text', is_required: false, options: [] };

interface FieldProps {
  /** Left out where a new one is made. */
  field?: CustomField | undefined;
  others: readonly CustomField[];
  onClose: () => void;
}

/** A field of the shop's own: a new one, or what one is called, offers and demands. What customers have in it stays. */
export function FieldSheet({ field, others, onClose }: FieldProps): ReactNode {
  const { say } = useConsole().language;
  const first = field ?? BLANK;
  const [label, setLabel] = useState(first.field_label);
  const [type, setType] = useState(first.field_type);
  const [choices, setChoices] = useState(first.options.join('\n'));
  const [isRequired, setRequired] = useState(first.is_required);
  const options = choices
    .split('\n')
    .map((one) => one.trim())
    .filter(Boolean);
  const wish = useSaving({ field, others, onClose });
  const send = () => {
    const described = { field_label: label.trim(), is_required: isRequired };
    const whole = { ...described, ...(type === 'select' ? { options } : {}) };
    void wish.send({ ...whole, field_type: type });
  };
  return (
    <Sheet title={field?.field_label ?? say('fields.new')} onClose={onClose}>
      <WishForm
        wish={wish}
        onSend={send}
        button={say(field ? 'save' : 'add')}
        fields={['field_label', 'field_name', ...(type === 'select' ? ['options'] : [])]}
      >
        <TextInput
          label={say('name')}
          data-autofocus
          required
          value={label}
          error={troubleOf(wish.refused, 'field_label') ?? troubleOf(wish.refused, 'field_name')}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        {!field && (
          <NativeSelect
            label={say('form.kind')}
            value={type}
            onChange={(event) => setType(event.currentTarget.value as Typed['field_type'])}
            data={FIELD_TYPES.map((value) => ({ value, label: say(`fieldType.${value}`) }))}
          />
        )}
        {type === 'select' && (
          <Textarea
            label={say('fields.options')}
            description={field && say('fields.options.hint')}
            rows={4}
            required
            value={choices}
            error={troubleOf(wish.refused, 'options')}
            onChange={(event) => setChoices(event.currentTarget.value)}
          />
        )}
        <Checkbox
          label={say('form.required')}
          checked={isRequired}
          onChange={(event) => setRequired(event.currentTarget.checked)}
        />
      </WishForm>
    </Sheet>
  );
}

/** Of a field that is there only what differs is sent: the rest may be another by now. */
function useSaving({ field, others, onClose }: FieldProps) {
  const { laurel } = useConsole();
  const forget = useForget();
  return useWish(
    (typed: Partial<Typed> & Pick<Typed, 'field_label' | 'field_type'>, options) => {
      if (field) {
        const changed = Object.entries(typed).filter(
          ([name, value]) =>
            JSON.stringify(value) !== JSON.stringify(field[name as keyof CustomField]),
        );
        return laurel.dataModel.update(field.id, Object.fromEntries(changed), options);
      }
      const taken = others.map(({ field_name }) => field_name);
      const field_name = codeOf(typed.field_label, { otherwise: 'field', taken });
      return laurel.dataModel.create({ ...typed, field_name }, options);
    },
    () => {
      forget('data-model', 'names');
      onClose();
    },
  );
}
