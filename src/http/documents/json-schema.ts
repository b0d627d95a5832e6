// How the published descriptions show zod's schemas: without what zod adds that is noise for readers,
// the bounds of JavaScript's numbers and patterns beside formats; with the examples that it leaves out.
import { z } from 'zod';

/** For `z.toJSONSchema` and what calls it. */
export const withoutNoise: NonNullable<z.core.ToJSONSchemaParams['override']> = ({
  zodSchema,
  jsonSchema,
}) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format) delete jsonSchema.pattern;
  // zod takes those of what it transforms for examples of the outcome; ours are of what is sent.
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples && !jsonSchema.$ref) jsonSchema.examples = examples as unknown[];
};
