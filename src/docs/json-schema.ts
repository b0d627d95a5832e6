// Adapts zod's JSON Schemas for readers of the published descriptions: it removes the bounds of JavaScript's
// integers and patterns beside formats, and adds the examples that zod leaves out. Replies are open. [contract 1]
import { z } from 'zod';

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;

const input: Override = ({ zodSchema, jsonSchema }) => {
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

const output: Override = (context) => {
  input(context);
  // A client ignores fields that it does not know, which new versions may add.
  if (context.jsonSchema.additionalProperties === false) delete context.jsonSchema.additionalProperties;
};

/** The option `override` of `z.toJSONSchema`, for what clients send and for what they get. */
export const withoutNoise = { input, output };
