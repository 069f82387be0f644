import type { Path } from '#agentFile/agentText.ts';
import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';

/** An edit of the file by a form. One is requested each time the user leaves a field, chooses a value, or pauses. */
export type FormOperation = Extract<GraphOperation, { readonly do: 'set' | 'insertItem' | 'removeItem' | 'moveItem' | 'rename' }>;

/** The form of a node as its page shows it. Rebuilt from the text after each change. */
export interface NodeForm {
	/** ID of the node; absent in the form of the agent. */
	readonly node?: string | undefined;
	readonly type: string;
	/** Title of the node, or its ID if it has no title. */
	readonly title: string;
	/** Describes in one sentence what nodes of this type do; empty for an unknown type. */
	readonly about: string;
	readonly sections: readonly FormSection[];
	/** Fields in the file that the schema doesn't know. Forms don't change them. */
	readonly others: readonly string[];
	/** Problems of the node that belong to no field. */
	readonly faults: readonly string[];
	/** Nodes and variables that the node's fields can refer to, nearest last, as in the file. */
	readonly scopes: readonly FormScope[];
	/** Names of known models. */
	readonly models: readonly string[];
	/** True if the file can be edited. */
	readonly editable: boolean;
}

/** `main`: what the node does; `failure`: error handling; `kept`: fields that the canvas manages. */
export interface FormSection {
	readonly id: 'main' | 'failure' | 'kept';
	readonly fields: readonly NodeFormField[];
}

/** A possible first segment of references: a node's ID, `sys`, `env` or `conversation`. */
export interface FormScope {
	readonly id: string;
	/** Title of the node, or the ID if it isn't a node. */
	readonly title: string;
	/** Type of the node; empty if it isn't a node. */
	readonly type: string;
	readonly variables: readonly { readonly name: string; readonly type: string; readonly description?: string }[];
	/** True if there can be variables other than these. */
	readonly open: boolean;
}

/** A field of a form, or an item of a list or map. */
export type NodeFormField = FieldHead & FieldShape;

interface FieldHead {
	/** Relative to the node's `data`; for fields of the agent, to the top of the file. */
	readonly path: Path;
	/** Name of the field in the file; for an item, its number (from 1) or its key. */
	readonly name: string;
	/** Displayed name of the field. */
	readonly label: string;
	/** Description of the field, the same text as in completion and hovers; may be empty. */
	readonly help: string;
	readonly required: boolean;
	/** True if the file has the field. */
	readonly written: boolean;
	/** True if the field is hidden under "More". */
	readonly rare: boolean;
	/** Problems of the field's value, one sentence each. */
	readonly faults: readonly string[];
	/** Set by the page for typed fields: the text in the file while an edit is pending. */
	readonly held?: string;
	/** Set by the page for list items: identifies the item when it moves. */
	readonly key?: number;
}

export type FieldShape =
	| {
			readonly kind: 'text';
			readonly value: string;
			readonly many: boolean;
			/** True if `{{#node.variable#}}` is a reference. */
			readonly references: boolean;
	  }
	/** Code or a template, which can be opened as a document in its language. */
	| { readonly kind: 'code'; readonly value: string; readonly language: CodeLanguage }
	/** `value` is a string if the file doesn't have a number. */
	| { readonly kind: 'number'; readonly value: number | string | undefined; readonly whole: boolean; readonly least: number | undefined }
	| { readonly kind: 'checkbox'; readonly value: boolean | undefined }
	/** `closed`: no other values are accepted. */
	| { readonly kind: 'select'; readonly value: string; readonly options: readonly string[]; readonly closed: boolean }
	/** Any value. A text that looks like a number or boolean becomes one, unless the file has a string. */
	| { readonly kind: 'value'; readonly value: string; readonly isText: boolean }
	/** Selector of a variable: node, name, and keys into its value. `takes`: accepted types of `scopes`; all if absent. */
	| { readonly kind: 'selector'; readonly value: readonly string[]; readonly takes?: readonly string[] }
	/** The name of a model; any text is accepted. */
	| { readonly kind: 'modelName'; readonly value: string }
	| {
			readonly kind: 'group';
			readonly fields: readonly NodeFormField[];
			/** Set for an item whose ID is an output handle. */
			readonly way?: HandleTargets;
			/** Set for a condition: its complete value, because the parts of a condition change together. */
			readonly value?: unknown;
	  }
	| {
			readonly kind: 'list';
			readonly look: 'plain' | 'messages' | 'cases' | 'conditions' | 'classes';
			readonly items: readonly NodeFormField[];
			/** The value of a new item. */
			readonly fresh: unknown;
			/** The field of a new item; absent inside a new item. */
			readonly next?: NodeFormField;
	  }
	/** Values by names that the user chooses; `fresh` and `next` as in a list. */
	| {
			readonly kind: 'map';
			readonly entries: readonly NodeFormField[];
			readonly value: readonly (readonly [name: string, value: unknown])[];
			readonly fresh: unknown;
			readonly next?: NodeFormField;
	  }
	/** Any other value, as JSON. */
	| { readonly kind: 'json'; readonly value: string }
	/** A read-only value that is managed by operations on the canvas. */
	| { readonly kind: 'kept'; readonly value: string };

/** The output handle of an item, and the titles of its target nodes. */
export interface HandleTargets {
	readonly handle: string;
	readonly targets: readonly string[];
}

export type CodeLanguage = 'javascript' | 'python' | 'jinja';

export type FieldOf<Kind extends FieldShape['kind']> = FieldHead & Extract<FieldShape, { readonly kind: Kind }>;
