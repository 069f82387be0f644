/** A document to read. Its MIME type, or else its name, determines its kind. */
export interface Document {
	readonly name: string;
	/** Includes the charset, if known. */
	readonly mimeType: string;
	readonly bytes: Uint8Array;
}

/** Inputs of each task that threads can run. */
export interface TaskInputs {
	/** `floats` contains the names of values that are integers here and floats in the template. */
	readonly template: { readonly text: string; readonly values: Readonly<Record<string, unknown>>; readonly floats?: readonly string[] };
	readonly document: Document;
	/** A value and the JSON schema to check it against. */
	readonly schema: { readonly value: unknown; readonly schema: Readonly<Record<string, unknown>> };
}

export interface TaskOutputs {
	readonly template: string;
	readonly document: string;
	/** The first issue found, with its path in the value, which starts with `$`; null if there is none. */
	readonly schema: { readonly path: string; readonly message: string } | null;
}

export type TaskName = keyof TaskInputs;

/** Messages of a thread about its task: first that the task has started, then its result. */
export type TaskMessage =
	| { readonly id: number; readonly begun: true }
	| { readonly id: number; readonly result: unknown }
	| { readonly id: number; readonly error: { readonly message: string; readonly type?: string } };
