import { inputPlacePattern } from '#contract/inputPlaces.ts';

/**
 * Kinds of form fields; unknown kinds are edited as text. Forms of paused runs (DSL additions, "human-input") only have paragraphs, selects
 * and files; inputs of agents (workflow DSL, "start") can have all kinds. `json`: an object.
 */
export type FormFieldKind = 'text' | 'paragraph' | 'number' | 'checkbox' | 'select' | 'json' | 'file' | 'file-list';

export interface FormField {
	/** Name of the value in the answer. */
	readonly name: string;
	/** Label shown instead of the name. */
	readonly label?: string;
	/** Hint shown next to the field. */
	readonly help?: string;
	readonly kind: FormFieldKind;
	/** Initial value as typed; `true` or `false` for `checkbox`. */
	readonly value: string;
	/** Length limit of a text, in characters (code points). */
	readonly longest?: number;
	/** Size limit of a file, in bytes. */
	readonly largest?: number;
	/** Choices of a `select`. */
	readonly options: readonly string[];
	/** True if an answer without this field is refused. Only a paragraph may be empty. */
	readonly required: boolean;
	/** Accepted kinds of files, and accepted extensions (with the dot); any if empty. */
	readonly fileTypes: readonly string[];
	readonly extensions: readonly string[];
	/** True if local files and URLs are accepted. */
	readonly uploads: boolean;
	readonly links: boolean;
	/** Maximum number of files in a `file-list`. */
	readonly most?: number;
}

/** A button that submits a form. */
export interface FormButton {
	readonly id: string;
	readonly title: string;
	readonly style: 'primary' | 'default' | 'accent' | 'ghost';
}

/** A form that a paused run is waiting for. */
export interface RunForm {
	/** ID that is unique in the run: the form's ID, or the node's. */
	readonly id: string;
	readonly nodeId: string;
	readonly title: string;
	/** Markdown, with `{{#$output.NAME#}}` as placeholders for inputs. */
	readonly content: string;
	readonly inputs: readonly FormField[];
	readonly actions: readonly FormButton[];
	/** Token for the answer; if absent, the form can't be answered here. */
	readonly token?: string;
	/** Expiry time in Unix milliseconds. */
	readonly expiresAt?: number;
}

/** A form as shown in lists. */
export interface FormSummary {
	readonly id: string;
	readonly title: string;
	/** True if the form can be answered here. */
	readonly answerable: boolean;
	/** Expiry time in Unix milliseconds. */
	readonly expiresAt?: number;
}

export function summarizeForm({ id, title, token, expiresAt }: RunForm): FormSummary {
	return { id, title, answerable: token !== undefined, ...(expiresAt === undefined ? {} : { expiresAt }) };
}

/** Part of a form's content: Markdown or an input. */
type FormPiece = { readonly text: string } | { readonly input: FormField };

/** Splits the content of a form into parts. Inputs without a placeholder follow at the end. */
export function splitFormContent({ content, inputs }: Pick<RunForm, 'content' | 'inputs'>): FormPiece[] {
	const left = new Map(inputs.map(input => [input.name, input]));
	const pieces: FormPiece[] = [];
	const add = (text: string) => {
		if (text.trim() !== '') {
			pieces.push({ text });
		}
	};
	let from = 0;
	for (const match of content.matchAll(inputPlacePattern)) {
		const input = left.get(match[1] ?? '');
		if (input) {
			add(content.slice(from, match.index));
			from = match.index + match[0].length;
			left.delete(input.name);
			pieces.push({ input });
		}
	}
	add(content.slice(from));
	return [...pieces, ...[...left.values()].map(input => ({ input }))];
}
