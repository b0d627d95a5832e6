// Fields of replies with their descriptions and examples, of which src/docs makes the examples of whole replies.
import { z } from 'zod';

export const exampled = <Schema extends z.ZodType>(schema: Schema, description: string, example: z.input<Schema>) =>
  schema.meta({ description, examples: [example] });

export const text = (description: string, example: string) => exampled(z.string(), description, example);

export const textOrNull = (description: string, example: string | null) =>
  exampled(z.string().nullable(), description, example);

export const whole = (description: string, example: number) => exampled(z.int(), description, example);

export const listOf = <Shape extends z.core.$ZodLooseShape>(description: string, shape: Shape) =>
  z.array(z.object(shape)).describe(description);
