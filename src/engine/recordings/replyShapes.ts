import * as z from 'zod';
import { createSchemaProblem, describeIssue } from '#contract/problems.ts';
import { RecordingFormatError } from '#contract/recordings/scanRecording.ts';

const error = z.looseObject({
	message: z.string(),
	name: z.string().optional(),
	reason: z.string().optional(),
	code: z.string().optional(),
});

/** Replies to each kind of call as nodes expect them. A file may contain anything, because it can be edited. */
export const replyShapes = {
	model: z.looseObject({
		text: z.string().optional(),
		reasoning: z.string().optional(),
		calls: z.array(z.looseObject({ id: z.string(), name: z.string(), input: z.string() })).optional(),
		thoughts: z.array(z.string()).optional(),
		warnings: z.array(z.string()).optional(),
		finish: z.string().optional(),
		usage: z
			.looseObject({
				prompt: z.number().optional(),
				completion: z.number().optional(),
				price: z.string().optional(),
				currency: z.string().optional(),
			})
			.optional(),
	}),
	text: z.looseObject({ headers: z.record(z.string(), z.string()).optional(), body: z.string().optional() }),
	http: z.looseObject({
		status: z.number(),
		headers: z.record(z.string(), z.string()),
		body: z.string().optional(),
		base64: z.string().optional(),
		url: z.url().optional(),
	}),
	code: z.looseObject({ result: z.unknown(), floats: z.array(z.string()).optional() }),
	template: z.string(),
	knowledge: z.looseObject({
		items: z.array(z.looseObject({ title: z.string(), content: z.string(), metadata: z.looseObject({}) })),
		notes: z.array(z.string()),
	}),
	names: z.array(z.string()),
	toolDescription: z.nullable(
		z.looseObject({ provider: z.string(), name: z.string(), description: z.string(), parameters: z.looseObject({}) }),
	),
	toolResult: z.looseObject({ text: z.string() }),
	clock: z.string(),
};

/** Checks the reply or error of an entry. @throws {RecordingFormatError} that names the line and the field */
export function checkReply(content: { readonly reply?: unknown; readonly error?: unknown }, line: number, shape: z.ZodType): void {
	for (const [name, schema] of [
		['reply', shape],
		['error', error],
	] as const) {
		const value = content[name];
		const { error: issues } = value === undefined ? {} : schema.safeParse(value, { error: describeIssue });
		if (issues) {
			const { field, message } = createSchemaProblem(issues, value);
			throw new RecordingFormatError(`The entry at line ${line} isn't valid at '${field === '' ? name : `${name}.${field}`}': ${message}.`);
		}
	}
}
