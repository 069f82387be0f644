import * as z from 'zod';
import { fileSourceSchema, formFileSchema } from '#runs/forms/formAnswer.ts';
import { parserOf } from '../shared/parser.ts';

const fieldName = z.string().min(1).max(1000);
const localFileSchema = z.object({ name: z.string().max(4000), size: z.number().min(0), uri: z.string().min(1).max(8000) });

/** What is filled in: values as a run takes them, and files, which are uploaded first where they lie on this machine. */
const givenSchema = z.object({
	values: z.record(fieldName, z.unknown()),
	files: z.record(fieldName, z.array(z.union([localFileSchema, formFileSchema])).max(1000)),
});
export type GivenInputs = z.infer<typeof givenSchema>;

/** What a webview may send; anything else is dropped. */
const inputsMessageSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready') }),
	z.object({ type: z.literal('run'), given: givenSchema }),
	z.object({ type: z.literal('save'), given: givenSchema }),
	z.object({ type: z.literal('choose'), field: fieldName, from: fileSourceSchema }),
	z.object({ type: z.literal('inspect'), key: z.string().max(1000) }),
]);

/** A message of the page that was checked. */
export type FromInputs = z.infer<typeof inputsMessageSchema>;

/** The message, or undefined for one that isn't of the protocol. */
export const parseInputsMessage = parserOf(inputsMessageSchema);
