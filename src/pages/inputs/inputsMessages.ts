import * as z from 'zod';
import type { FormFile } from '#runs/forms/formAnswer.ts';
import { fileSourceSchema, formFileSchema } from '#runs/forms/formAnswer.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import type { DeploymentDraft } from '#runs/runTypes.ts';
import { createParser } from '../shared/parser.ts';
import type { InputsStrings } from './inputsStrings.ts';

const fieldName = z.string().min(1).max(1000);
const localFileSchema = z.object({ name: z.string().max(4000), size: z.number().min(0), uri: z.string().min(1).max(8000) });

/** What is filled in: values as a run takes them, and files, which are uploaded first where they lie on this machine. */
const givenSchema = z.object({
	values: z.record(fieldName, z.unknown()),
	files: z.record(fieldName, z.array(z.union([localFileSchema, formFileSchema])).max(1000)),
});
export type GivenInputs = z.infer<typeof givenSchema>;

/** What the page may send; anything else is dropped. What the host sends is trusted. */
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
export const parseInputsMessage = createParser(inputsMessageSchema);

/** A file of this machine that goes to the service with the run. */
export interface LocalInputFile {
	readonly name: string;
	/** In bytes. */
	readonly size: number;
	readonly uri: string;
}

/** Whose inputs a form is for. Plain data: the page keeps it, and the host reads it when the panel comes back. */
export interface InputsTarget {
	readonly connectionId: string;
	readonly agent: string;
	/** URI of the agent file whose draft is run; absent for what is published. */
	readonly agentFile?: string;
	/** Node that the run begins with, where there is a choice. */
	readonly trigger?: string;
	/** Draft of an app that runs on its deployment; `agentFile` is then the file that is linked to it. */
	readonly draft?: DeploymentDraft;
}

/** The form, with what was sent last, as it was sent. */
export interface InputsForm {
	readonly target: InputsTarget;
	/** Name of the connection, or of the agent file. */
	readonly where: string;
	readonly description: string;
	readonly fields: readonly FormField[];
	readonly last: Readonly<Record<string, unknown>>;
}

/** What the host sends. */
export type FromInputsHost =
	| { readonly type: 'form'; readonly form: InputsForm; readonly strings: InputsStrings }
	/** There is no form to show: why. */
	| { readonly type: 'gone'; readonly target: InputsTarget; readonly problem: string; readonly strings: InputsStrings }
	/** Files were chosen for a field. */
	| { readonly type: 'files'; readonly field: string; readonly files: readonly (FormFile | LocalInputFile)[] }
	/** What was asked for could not be done. */
	| { readonly type: 'problem'; readonly problem: string }
	/** How the run stands. */
	| { readonly type: 'run'; readonly key: string; readonly text: string };
