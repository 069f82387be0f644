import * as z from 'zod';
import { ownField } from '#base/records/ownField.ts';
import { type FileObject, fileObjectSchema } from '#contract/workflows.ts';
import type { RunForm } from './runForm.ts';

const formId = z.string().min(1).max(200);
const fieldName = z.string().min(1).max(200);

/** A file of an answer: as the service takes it, and what people know it by; `size` in bytes, where that is known. */
export const formFileSchema = z.object({ name: z.string().max(4000), size: z.number().min(0).optional(), file: fileObjectSchema });
export type FormFile = z.infer<typeof formFileSchema>;

/** Where files are chosen: among those of the workspace, anywhere on this machine, or by an address. */
export const fileSourceSchema = z.enum(['workspace', 'machine', 'address']);
export type FileSource = z.infer<typeof fileSourceSchema>;

/** What a page sends to have a form answered: texts and files by the names of its fields, and the button that was pressed. */
export const formAnswerSchema = z.object({
	type: z.literal('answerForm'),
	form: formId,
	action: z.string().max(200),
	values: z.record(fieldName, z.union([z.string().max(1_000_000), z.array(formFileSchema).max(100)])),
});
export type FormAnswerMessage = Pick<z.infer<typeof formAnswerSchema>, 'action' | 'values'>;

/** What a page sends to have files chosen for a field. */
export const formFilesWantedSchema = z.object({
	type: z.literal('chooseFormFiles'),
	form: formId,
	field: fieldName,
	from: fileSourceSchema,
});

/** What the host tells a page of a form. */
export type FormNews =
	/** An answer was not taken: why. */
	| { readonly type: 'formProblem'; readonly form: string; readonly problem: string; readonly closed: boolean }
	/** Files were chosen and uploaded for a field. */
	| { readonly type: 'formFiles'; readonly form: string; readonly field: string; readonly files: readonly FormFile[] };

/** Inputs of an answer as a service takes them: a file alone for a field that holds one. Fields that were left empty are left out, paragraphs go as they are. */
export function submittedInputs(
	{ inputs }: RunForm,
	{ values }: FormAnswerMessage,
): Record<string, string | FileObject | readonly FileObject[]> {
	return Object.fromEntries(
		inputs.flatMap(({ name, kind, value: first }): [string, string | FileObject | readonly FileObject[]][] => {
			const value = ownField(values, name) ?? first;
			if (typeof value === 'string') {
				return value === '' && kind !== 'paragraph' ? [] : [[name, value]];
			}
			const files = value.map(({ file }) => file);
			return kind === 'file-list' ? [[name, files]] : files.slice(0, 1).map(file => [name, file]);
		}),
	);
}
