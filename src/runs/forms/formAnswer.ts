import * as z from 'zod';
import { getOwnField } from '#base/records/ownField.ts';
import { type FileObject, fileObjectSchema } from '#contract/workflows.ts';
import type { RunForm } from './runForm.ts';

const formId = z.string().min(1).max(200);
const fieldName = z.string().min(1).max(200);

/** A file of an answer: the service's file object, and its name and size (in bytes, if known) for display. */
export const formFileSchema = z.object({ name: z.string().max(4000), size: z.number().min(0).optional(), file: fileObjectSchema });
export type FormFile = z.infer<typeof formFileSchema>;

/** Sources of files: the workspace, anywhere on this machine, or a URL. */
export const fileSourceSchema = z.enum(['workspace', 'machine', 'address']);
export type FileSource = z.infer<typeof fileSourceSchema>;

/** Message of a page that answers a form: texts and files by field name, and the chosen action. */
export const formAnswerSchema = z.object({
	type: z.literal('answerForm'),
	form: formId,
	action: z.string().max(200),
	values: z.record(fieldName, z.union([z.string(), z.array(formFileSchema).max(100)])),
});
export type FormAnswerMessage = Pick<z.infer<typeof formAnswerSchema>, 'action' | 'values'>;

/** Message of a page that asks for files for a field. */
export const formFilesWantedSchema = z.object({
	type: z.literal('chooseFormFiles'),
	form: formId,
	field: fieldName,
	from: fileSourceSchema,
});

/** Messages to a page about a form. */
export type FormNews =
	/** An answer was refused. `closed`: no further answers are accepted. */
	| { readonly type: 'formProblem'; readonly form: string; readonly problem: string; readonly closed: boolean }
	/** Files were chosen and uploaded for a field. */
	| { readonly type: 'formFiles'; readonly form: string; readonly field: string; readonly files: readonly FormFile[] };

/** Converts an answer to the inputs that services expect: a single file for a `file` field. Empty fields are omitted, except paragraphs. */
export function toSubmittedInputs(
	{ inputs }: RunForm,
	{ values }: FormAnswerMessage,
): Record<string, string | FileObject | readonly FileObject[]> {
	return Object.fromEntries(
		inputs.flatMap(({ name, kind, value: first }): [string, string | FileObject | readonly FileObject[]][] => {
			const value = getOwnField(values, name) ?? first;
			if (typeof value === 'string') {
				return value === '' && kind !== 'paragraph' ? [] : [[name, value]];
			}
			const files = value.map(({ file }) => file);
			return kind === 'file-list' ? [[name, files]] : files.slice(0, 1).map(file => [name, file]);
		}),
	);
}
