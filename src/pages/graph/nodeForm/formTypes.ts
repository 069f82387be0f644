import type { Path } from '#agentFile/agentText.ts';
import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';

/** What a form does to the file: one operation for one field that is left, chosen or paused at. */
export type FormOperation = Extract<GraphOperation, { readonly do: 'set' | 'insertItem' | 'removeItem' | 'moveItem' | 'rename' }>;

/** The form of a node as its page draws it: made anew of the text after each change, and the only truth that the page has. */
export interface NodeForm {
	/** ID of the node; absent where it is the form of the agent itself. */
	readonly node?: string | undefined;
	readonly type: string;
	/** Its title, else its ID. */
	readonly title: string;
	/** What nodes of the type do, in a sentence; empty for a type that is not known. */
	readonly about: string;
	readonly sections: readonly FormSection[];
	/** Fields in the file that the schema does not know: they stay as they are. */
	readonly others: readonly string[];
	/** What is wrong with the node and belongs to no field. */
	readonly faults: readonly string[];
	/** What its fields can refer to, nearest last as in the file. */
	readonly scopes: readonly FormScope[];
	/** Names of models that are known to be there. */
	readonly models: readonly string[];
	/** Whether the text can be changed. */
	readonly editable: boolean;
}

/** `main`: what the node does; `failure`: what happens when it fails; `kept`: what the canvas keeps of it. */
export interface FormSection {
	readonly id: 'main' | 'failure' | 'kept';
	readonly fields: readonly NodeFormField[];
}

/** A first segment of references: a node's ID, `sys`, `env` or `conversation`. */
export interface FormScope {
	readonly id: string;
	/** Title of the node; the ID where it is none. */
	readonly title: string;
	/** Type of the node; empty where it is none. */
	readonly type: string;
	readonly variables: readonly { readonly name: string; readonly type: string; readonly description?: string }[];
	/** Whether there can be other variables than these. */
	readonly open: boolean;
}

/** A field of a form, or an item of a list or a map in it. */
export type NodeFormField = FieldHead & FieldShape;

interface FieldHead {
	/** From the node's `data`; of a field of the agent itself, from the top of the file. */
	readonly path: Path;
	/** Its name in the file; of an item, its place from 1 or its key. */
	readonly name: string;
	/** The name as people read it. */
	readonly label: string;
	/** What completion and hovers say of it; empty where nothing is said. */
	readonly help: string;
	readonly required: boolean;
	/** Whether the file has it. */
	readonly written: boolean;
	/** Whether it is shown only when it is asked for. */
	readonly rare: boolean;
	/** What is wrong with its value, one sentence each. */
	readonly faults: readonly string[];
	/** Of what is typed, on its page: what the file has, where an edit of it is on its way. */
	readonly held?: string;
	/** Of an item of a list, on its page: stays with it wherever it goes. */
	readonly key?: number;
}

export type FieldShape =
	| {
			readonly kind: 'text';
			readonly value: string;
			readonly many: boolean;
			/** Whether `{{#node.variable#}}` in it means a value. */
			readonly references: boolean;
	  }
	/** A program or a template, which can be opened as a document of its language. */
	| { readonly kind: 'code'; readonly value: string; readonly language: CodeLanguage }
	/** `value` is a text where what is written is no number. */
	| { readonly kind: 'number'; readonly value: number | string | undefined; readonly whole: boolean; readonly least: number | undefined }
	| { readonly kind: 'checkbox'; readonly value: boolean | undefined }
	/** `closed`: nothing else is taken. */
	| { readonly kind: 'select'; readonly value: string; readonly options: readonly string[]; readonly closed: boolean }
	/** Any one value: what reads as a number or a boolean is one, unless the file has a text there. */
	| { readonly kind: 'value'; readonly value: string; readonly isText: boolean }
	/** The name of a variable: node and name, and keys into it. `takes`: types of `scopes` that can stand here; all where it is absent. */
	| { readonly kind: 'selector'; readonly value: readonly string[]; readonly takes?: readonly string[] }
	/** The name of a model; any text is taken. */
	| { readonly kind: 'modelName'; readonly value: string }
	| {
			readonly kind: 'group';
			readonly fields: readonly NodeFormField[];
			/** Of an item whose ID edges go by. */
			readonly way?: FormWay;
			/** Of a condition: all that it holds, because its parts change together. */
			readonly value?: unknown;
	  }
	| {
			readonly kind: 'list';
			readonly look: 'plain' | 'messages' | 'cases' | 'conditions' | 'classes';
			readonly items: readonly NodeFormField[];
			/** What a new item holds at first. */
			readonly fresh: unknown;
			/** The fields of a new item; absent in one. */
			readonly next?: NodeFormField;
	  }
	/** Names that the file chooses, and what they hold; `fresh` and `next` as in a list. */
	| {
			readonly kind: 'map';
			readonly entries: readonly NodeFormField[];
			readonly value: readonly (readonly [name: string, value: unknown])[];
			readonly fresh: unknown;
			readonly next?: NodeFormField;
	  }
	/** What has no better form. */
	| { readonly kind: 'json'; readonly value: string }
	/** What operations on the canvas write: shown, and typed by nobody. */
	| { readonly kind: 'kept'; readonly value: string };

/** The way out of the node that an item is: the handle of its edges, and the titles of the nodes that they lead to. */
export interface FormWay {
	readonly handle: string;
	readonly targets: readonly string[];
}

export type CodeLanguage = 'javascript' | 'python' | 'jinja';

export type FieldOf<Kind extends FieldShape['kind']> = FieldHead & Extract<FieldShape, { readonly kind: Kind }>;
