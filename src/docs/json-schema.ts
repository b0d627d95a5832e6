// Adapts zod's JSON Schemas for readers of the published descriptions: it removes the bounds of JavaScript's
// integers and patterns beside formats, and adds the examples that zod leaves out.
import { z } from 'zod';

/** The option `override` of `z.toJSONSchema`. */
export const withoutNoise: NonNullable<z.core.ToJSONSchemaParams['override']> = ({ zodSchema, jsonSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format) delete jsonSchema.pattern;
  // Any further field may be there, which is what a schema means that says nothing of them.
  if (JSON.stringify(jsonSchema.additionalProperties) === '{}') delete jsonSchema.additionalProperties;
  // zod leaves out the examples of a schema with a transformation, since it takes them for examples of the
  // output; here they are examples of the input.
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples && !jsonSchema.$ref) jsonSchema.examples = examples as unknown[];
};
