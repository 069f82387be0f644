import { inputPlacePattern } from '#contract/inputPlaces.ts';

/**
 * Kinds of input that a form can have; what a service invents beyond them is filled in as a text. Forms that runs wait for (DSL additions, "human-input") have
 * paragraphs, selects and files alone, the inputs of agents (workflow DSL, "start") all of them. `json`: an object.
 */
export type FormFieldKind = 'text' | 'paragraph' | 'number' | 'checkbox' | 'select' | 'json' | 'file' | 'file-list';

/** One input of a form. */
export interface FormField {
	/** Name of its value in the answer. */
	readonly name: string;
	/** What people see in place of the name. */
	readonly label?: string;
	/** What they are told beside it. */
	readonly help?: string;
	readonly kind: FormFieldKind;
	/** What it holds at first, as one would type it; `true` or `false` for `checkbox`. */
	readonly value: string;
	/** Most characters (code points) of a text. */
	readonly longest?: number;
	/** Most bytes of a file. */
	readonly largest?: number;
	/** What there is to choose from, for `select`. */
	readonly options: readonly string[];
	/** Whether an answer without it is refused: only a paragraph may be left empty. */
	readonly required: boolean;
	/** Kinds of file that are taken, and endings (with their point) beside these; empty: any. */
	readonly fileTypes: readonly string[];
	readonly extensions: readonly string[];
	/** Whether files of this machine are taken, and such as have an address. */
	readonly uploads: boolean;
	readonly links: boolean;
	/** Most files that are taken, for `file-list`. */
	readonly most?: number;
}

/** A way to send a form off. */
export interface FormButton {
	readonly id: string;
	readonly title: string;
	/** The look of its button. */
	readonly style: 'primary' | 'default' | 'accent' | 'ghost';
}

/** A form that a run waits for. */
export interface RunForm {
	/** Names it among those of its run: its ID, else that of its node. */
	readonly id: string;
	readonly nodeId: string;
	readonly title: string;
	/** Markdown, with `{{#$output.NAME#}}` where inputs stand. */
	readonly content: string;
	readonly inputs: readonly FormField[];
	readonly actions: readonly FormButton[];
	/** What it is answered by; absent: it cannot be answered here. */
	readonly token?: string;
	/** Unix milliseconds from which on no answer is taken. */
	readonly expiresAt?: number;
}

/** What lists show of a form. */
export interface FormSummary {
	readonly id: string;
	readonly title: string;
	/** Whether it can be answered here. */
	readonly answerable: boolean;
	/** Unix milliseconds from which on no answer is taken. */
	readonly expiresAt?: number;
}

/** What lists show of this form. */
export function formSummary({ id, title, token, expiresAt }: RunForm): FormSummary {
	return { id, title, answerable: token !== undefined, ...(expiresAt === undefined ? {} : { expiresAt }) };
}

/** A piece of a form's content: Markdown, or the input that stands there. */
type FormPiece = { readonly text: string } | { readonly input: FormField };

/** The content of a form, in order; inputs that have no place in it follow it, each once. */
export function formPieces({ content, inputs }: Pick<RunForm, 'content' | 'inputs'>): FormPiece[] {
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
