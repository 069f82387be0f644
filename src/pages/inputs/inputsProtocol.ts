import type { FormFile } from '#runs/forms/formAnswer.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import type { DeploymentDraft } from '#runs/runTypes.ts';
import type { InputsStrings } from './inputsStrings.ts';

/**
 * What passes between the host side of a form for inputs and its webview. Types alone, for both sides. What the webview sends is checked at run time
 * (inputsMessages.ts); what the host sends is trusted. Nothing is sent to a webview before it said `ready`.
 */

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

export type { FromInputs } from './inputsMessages.ts';
