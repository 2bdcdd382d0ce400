/** JSON texts of immutable records, made once for each: read calls and the verifier ask for the same ones again and again. */
const texts = new WeakMap<object, string>();

export function recordText(record: object): string {
  const known = texts.get(record);
  if (known !== undefined) return known;
  const text = JSON.stringify(record);
  texts.set(record, text);
  return text;
}
