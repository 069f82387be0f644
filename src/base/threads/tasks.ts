/** A document to read: its name tells its kind where the type does not. */
export interface Document {
	readonly name: string;
	/** With its charset, where one is known. */
	readonly mimeType: string;
	readonly bytes: Uint8Array;
}

/** What threads do, and what each task is given. */
export interface TaskInputs {
	/** `floats`: names of those values that are whole numbers here and floats in the template. */
	readonly template: { readonly text: string; readonly values: Readonly<Record<string, unknown>>; readonly floats?: readonly string[] };
	readonly document: Document;
}

export interface TaskOutputs {
	readonly template: string;
	readonly document: string;
}

export type TaskName = keyof TaskInputs;

/** What a thread tells of the task that it was given: first that it has begun, then how it ended. */
export type TaskMessage =
	| { readonly id: number; readonly begun: true }
	| { readonly id: number; readonly result: unknown }
	| { readonly id: number; readonly error: { readonly message: string; readonly type?: string } };
