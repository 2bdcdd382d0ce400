import type { SchemaElement } from 'hyparquet';

/** The type of a value in a Parquet column. `audio` is the struct that Hugging Face's Audio feature reads. */
export type Shape =
  | 'string'
  | 'int32'
  | 'int64'
  | 'double'
  | 'boolean'
  | 'bytes'
  | 'audio'
  | { readonly list: Shape }
  | { readonly struct: Readonly<Record<string, Shape>> };

/** A column; every value may be null. */
export interface Column {
  readonly name: string;
  readonly shape: Shape;
}

const LEAVES: Readonly<Record<Exclude<Shape, object | 'audio'>, Omit<SchemaElement, 'name'>>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  bytes: { type: 'BYTE_ARRAY' },
};

const AUDIO: Shape = { struct: { bytes: 'bytes', path: 'string' } };

function elementsOf(name: string, shape: Shape): SchemaElement[] {
  const repetition_type = 'OPTIONAL';
  if (shape === 'audio') return elementsOf(name, AUDIO);
  if (typeof shape === 'string') return [{ name, repetition_type, ...LEAVES[shape] }];
  if ('list' in shape)
    // The three levels that the format asks for; writers that leave them out are misread.
    return [
      { name, repetition_type, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...elementsOf('element', shape.list),
    ];
  const fields = Object.entries(shape.struct);
  return [
    { name, repetition_type, num_children: fields.length },
    ...fields.flatMap(([field, inner]) => elementsOf(field, inner)),
  ];
}

export function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'schema', num_children: columns.length },
    ...columns.flatMap(({ name, shape }) => elementsOf(name, shape)),
  ];
}

/** Whether a column holds bytes that neither compress nor repeat. */
export function isBinary(shape: Shape): boolean {
  if (shape === 'bytes' || shape === 'audio') return true;
  if (typeof shape === 'string') return false;
  return 'list' in shape ? isBinary(shape.list) : Object.values(shape.struct).some(isBinary);
}

const DTYPES: Readonly<Record<Exclude<Shape, object | 'audio'>, string>> = {
  string: 'string',
  int32: 'int32',
  int64: 'int64',
  double: 'float64',
  boolean: 'bool',
  bytes: 'binary',
};

function featureOf(shape: Shape): unknown {
  if (shape === 'audio') return { sampling_rate: 16_000, _type: 'Audio' };
  if (typeof shape === 'string') return { dtype: DTYPES[shape], _type: 'Value' };
  if ('list' in shape) return { feature: featureOf(shape.list), _type: 'List' };
  return Object.fromEntries(Object.entries(shape.struct).map(([name, inner]) => [name, featureOf(inner)]));
}

/** What `datasets` looks for under the metadata key `huggingface`: without it a clip is only a struct. */
export function huggingFaceFeatures(columns: readonly Column[]): string {
  const features = Object.fromEntries(columns.map(({ name, shape }) => [name, featureOf(shape)]));
  return JSON.stringify({ info: { features } });
}
