/** A document to read: its kind is determined by the type, or by the name. */
export interface Document {
	readonly name: string;
	/** With its charset, if known. */
	readonly mimeType: string;
	readonly bytes: Uint8Array;
}

/** The tasks of threads, with their inputs. */
export interface TaskInputs {
	/** `floats`: names of values that are integers here and floats in the template. */
	readonly template: { readonly text: string; readonly values: Readonly<Record<string, unknown>>; readonly floats?: readonly string[] };
	readonly document: Document;
}

export interface TaskOutputs {
	readonly template: string;
	readonly document: string;
}

export type TaskName = keyof TaskInputs;

/** Messages of a thread about its task: that it has started, then its result. */
export type TaskMessage =
	| { readonly id: number; readonly begun: true }
	| { readonly id: number; readonly result: unknown }
	| { readonly id: number; readonly error: { readonly message: string; readonly type?: string } };
