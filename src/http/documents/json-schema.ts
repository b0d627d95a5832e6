// How the published descriptions show zod's schemas: without what zod adds that is noise for readers,
// the bounds of JavaScript's numbers and patterns beside formats.
import type { z } from 'zod';

/** For `z.toJSONSchema` and what calls it. */
export const withoutNoise: NonNullable<z.core.ToJSONSchemaParams['override']> = ({
  jsonSchema,
}) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format) delete jsonSchema.pattern;
};
