import type { PassTemplate } from '@laurel/client';
import type { ReactNode } from 'react';
import { renderSVG } from 'uqr';
import { withSamples } from '../../card/placeholders';
import { useConsole } from '../../console';
import { Picture } from '../../parts/picture';

export type Drawn = Pick<
  PassTemplate,
  | 'name'
  | 'logo_text'
  | 'background_color'
  | 'label_color'
  | 'value_color'
  | 'logo'
  | 'cover_image'
  | 'barcode_type'
  | 'top_field_label'
  | 'top_field_value'
  | 'front_fields'
  | 'secondary_fields'
>;

/** What it holds is of no meaning; it looks as a code of this kind does. */
const SAMPLE_QR = `data:image/svg+xml,${encodeURIComponent(renderSVG('LAUREL-7F3K2M9Q', { border: 0 }))}`;

/** A card as the phones will about show it; it follows each key. */
export function CardDrawing({ card }: { card: Drawn }): ReactNode {
  const { language } = useConsole();
  const ground = card.background_color ?? '#1b6b4c';
  const label = card.label_color ?? '#ffffff';
  const value = card.value_color ?? '#ffffff';
  const fields = (list: Drawn['front_fields']) =>
    list.map((field) => (
      <div key={field.id}>
        <small style={{ color: label }}>{field.label}</small>
        <b>{withSamples(field.value ?? '')}</b>
      </div>
    ));
  return (
    <div
      className="card-drawing"
      role="img"
      aria-label={language.say('card.drawing', { name: card.name })}
      style={{ background: ground, color: value }}
    >
      <div className="card-top">
        <Picture source={card.logo} size="height=96" height="32" />
        <span>{card.logo_text}</span>
        {card.top_field_value && (
          <span className="card-corner">
            <small style={{ color: label }}>{card.top_field_label}</small>
            <b>{withSamples(card.top_field_value)}</b>
          </span>
        )}
      </div>
      <Picture className="card-cover" source={card.cover_image} size="width=640" />
      <div className="card-fields card-fields-main">{fields(card.front_fields)}</div>
      <div className="card-fields">{fields(card.secondary_fields)}</div>
      {card.barcode_type === 'qr' && <img className="card-code" src={SAMPLE_QR} alt="" />}
      {card.barcode_type !== 'none' && card.barcode_type !== 'qr' && (
        <div className={`card-code card-code-${card.barcode_type}`} />
      )}
    </div>
  );
}
