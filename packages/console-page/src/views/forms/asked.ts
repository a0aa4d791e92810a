/** What a form may ask for. */
export interface Askable {
  name: string;
  label: string;
  type: string;
  /** Of a field with choices. */
  options?: readonly string[];
}

/** A question about a field, to begin with: the platform takes none with choices that names none. */
export const questionAbout = ({ name, label, type, options = [] }: Askable) => ({
  name,
  label,
  type,
  required: false,
  options: type === 'select' ? [...options] : [],
});

/** What changes of a question that becomes one of another kind, which has no choices. */
export const ofKind = (type: string) => (type === 'select' ? { type } : { type, options: [] });
