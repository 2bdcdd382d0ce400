import type { Column, Shape } from '../parquet/column.js';

/** Of `curriculumFacts`, for formats whose columns are fixed: null where a row belongs to no curriculum. */
export const CURRICULUM_SHAPES: Readonly<Record<string, Shape>> = {
  ...{ step: 'int32', phase: 'string', source: 'string', variant: 'string' },
};

export const CURRICULUM_COLUMNS: readonly Column[] = Object.entries(CURRICULUM_SHAPES).map(
  ([name, shape]) => ({ name, shape }),
);
