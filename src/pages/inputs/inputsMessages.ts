import * as z from 'zod';
import type { FormFile } from '#runs/forms/formAnswer.ts';
import { fileSourceSchema, formFileSchema } from '#runs/forms/formAnswer.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import type { DeploymentDraft } from '#runs/runTypes.ts';
import { createParser } from '../shared/parser.ts';
import type { InputsStrings } from './inputsStrings.ts';

const fieldName = z.string().min(1).max(1000);
const localFileSchema = z.object({ name: z.string().max(4000), size: z.number().min(0), uri: z.string().min(1).max(8000) });

/** Schema of the filled-in form: values in the format of a run, and files. Local files are uploaded before the run starts. */
const givenSchema = z.object({
	values: z.record(fieldName, z.unknown()),
	files: z.record(fieldName, z.array(z.union([localFileSchema, formFileSchema])).max(1000)),
});
export type GivenInputs = z.infer<typeof givenSchema>;

/** Schema of messages from the page. Invalid messages are dropped. Messages from the host are trusted. */
const inputsMessageSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready') }),
	z.object({ type: z.literal('run'), given: givenSchema }),
	z.object({ type: z.literal('save'), given: givenSchema }),
	z.object({ type: z.literal('choose'), field: fieldName, from: fileSourceSchema }),
	z.object({ type: z.literal('inspect'), key: z.string().max(1000) }),
]);

/** A validated message from the page. */
export type FromInputs = z.infer<typeof inputsMessageSchema>;

/** Returns the validated message; undefined if it's invalid. */
export const parseInputsMessage = createParser(inputsMessageSchema);

/** A local file that is uploaded for the run. */
export interface LocalInputFile {
	readonly name: string;
	/** Size in bytes. */
	readonly size: number;
	readonly uri: string;
}

/** The agent that a form is for. Plain data, because the host reads it from the page's state when it restores the panel. */
export interface InputsTarget {
	readonly connectionId: string;
	readonly agent: string;
	/** URI of the agent file whose draft runs; absent for the published agent. */
	readonly agentFile?: string;
	/** Node that the run starts with, if there is a choice. */
	readonly trigger?: string;
	/** App draft that runs on its Dify deployment; `agentFile` is then the linked file. */
	readonly draft?: DeploymentDraft;
}

/** The form, with the inputs of the last run as they were sent. */
export interface InputsForm {
	readonly target: InputsTarget;
	/** Name of the connection, or of the agent file. */
	readonly where: string;
	readonly description: string;
	readonly fields: readonly FormField[];
	readonly last: Readonly<Record<string, unknown>>;
}

/** Messages from the host. */
export type FromInputsHost =
	| { readonly type: 'form'; readonly form: InputsForm; readonly strings: InputsStrings }
	/** There is no form to show; `problem` is the reason. */
	| { readonly type: 'gone'; readonly target: InputsTarget; readonly problem: string; readonly strings: InputsStrings }
	/** Files were chosen for a field. */
	| { readonly type: 'files'; readonly field: string; readonly files: readonly (FormFile | LocalInputFile)[] }
	/** The requested action failed. */
	| { readonly type: 'problem'; readonly problem: string }
	/** Status of the run. */
	| { readonly type: 'run'; readonly key: string; readonly text: string };
