// Fields of replies with their descriptions and examples, of which src/docs makes the examples of whole replies.
import { z } from 'zod';

export const text = (description: string, example: string) => z.string().meta({ description, examples: [example] });

export const textOrNull = (description: string, example: string | null) =>
  z
    .string()
    .nullable()
    .meta({ description, examples: [example] });

export const whole = (description: string, example: number) => z.int().meta({ description, examples: [example] });

export const listOf = <Shape extends z.core.$ZodLooseShape>(description: string, shape: Shape) =>
  z.array(z.object(shape)).describe(description);
