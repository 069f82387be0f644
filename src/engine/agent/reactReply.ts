import { tryParseJson } from '#base/text/json.ts';
import { ThinkingFilter } from '../nodes/model/thinking.ts';
import { isObjectValue } from '../variables/objectValue.ts';
import { repairJson } from '../variables/repairJson.ts';

/** A tool call requested by the model, with its parameters as the model wrote them. */
export interface ReactAction {
	readonly name: string;
	readonly input: unknown;
}

/** Result of reading a whole reply. */
export interface ReactEnd {
	readonly thought: string;
	readonly action: ReactAction | undefined;
	/** Text of the final answer that hasn't been emitted yet. */
	readonly rest: string;
	/** True if the model tried to call a tool but its text can't be parsed. */
	readonly failed: boolean;
}

/** Maximum length of one action in characters, and maximum number of positions to search for an unlabeled action. */
const longestBlob = 1_000_000;
const mostPlaces = 20;
/** Maximum number of actions to repair if they aren't valid JSON. */
const mostRepairs = 3;
const answerMark = /(?:^|\n)[ \t*#]{0,8}Final ?Answer[ \t*]{0,4}:[ \t*]{0,4}/i;
/** Maximum length of a match of {@link answerMark}. */
const longestMark = 40;

/**
 * Parses a streamed reply in the form Thought, Action, Observation: text after "FinalAnswer:" is emitted immediately, everything else at
 * the end. Models vary the form: code fences, "Action Input:" on a separate line, other keys, a wrapper object, thoughts in tags.
 */
export class ReactReply {
	readonly #filter = new ThinkingFilter();
	/** Text before the final answer. */
	readonly #pieces: string[] = [];
	/** The last characters of the text, which may contain the start of the mark before the final answer. */
	#tail = '';
	#begun = false;
	#state: 'thinking' | 'answering' | 'acted' = 'thinking';

	/** True once the final answer has started. */
	get hasAnswer(): boolean {
		return this.#state === 'answering';
	}

	/** @returns text that certainly belongs to the final answer */
	push(piece: string): string {
		return this.#consumeText(
			this.#filter
				.push(piece)
				.map(({ type, text }) => (type === 'text' ? text : ''))
				.join(''),
		);
	}

	/** Ends the reply. */
	endReply(): ReactEnd {
		const rest = this.#consumeText(
			this.#filter
				.endText()
				.map(({ type, text }) => (type === 'text' ? text : ''))
				.join(''),
		);
		const text = this.#pieces.join('');
		const found = findAction(text);
		const acts = found?.action !== undefined;
		const thought = (acts ? text.slice(0, found.at) : text).replace(/^\s*Thought:\s*/i, '').trim();
		return { thought, action: found?.action, rest, failed: found !== undefined && !acts && !this.hasAnswer };
	}

	#consumeText(text: string): string {
		if (this.#state === 'answering') {
			return this.#trimAnswerStart(text);
		}
		this.#pieces.push(text);
		const window = this.#tail + text;
		this.#tail = window.slice(-longestMark);
		const mark = this.#state === 'thinking' ? answerMark.exec(window) : null;
		if (!mark) {
			return '';
		}
		const whole = this.#pieces.join('');
		const at = whole.length - window.length + mark.index;
		if (findAction(whole.slice(0, at))?.action) {
			// text after an action is made up: the tool hasn't returned yet
			this.#state = 'acted';
			return '';
		}
		this.#pieces.splice(0, this.#pieces.length, whole.slice(0, at));
		this.#state = 'answering';
		return this.#trimAnswerStart(whole.slice(at + mark[0].length));
	}

	/** Drops whitespace before the final answer. */
	#trimAnswerStart(text: string): string {
		const piece = this.#begun ? text : text.trimStart();
		this.#begun ||= piece !== '';
		return piece;
	}
}

/** Finds the first action in a text and its position. The result has no `action` if it can't be parsed. */
function findAction(text: string): { readonly at: number; readonly action?: ReactAction } | undefined {
	const line = /(?:^|\n)[ \t*#]{0,8}Action[ \t*]{0,4}:[ \t*]{0,4}/i.exec(text);
	if (line) {
		const from = line.index + line[0].length;
		const action = findActionAfterLabel(text, from);
		return { at: line.index, ...(action && { action }) };
	}
	let repairs = mostRepairs;
	for (const { index } of [...text.matchAll(/(?:^|\n)[ \t]{0,8}(?:```(?:json)?[ \t]{0,8}\n?)?[ \t]{0,8}(?=[{[])/g)].slice(0, mostPlaces)) {
		const blob = findJsonBlock(text, index);
		const value = blob === undefined ? undefined : (tryParseJson(blob) ?? (repairs-- > 0 ? tryRepairJson(blob) : undefined));
		const action = readAction(value, true);
		if (action) {
			return { at: index, action };
		}
	}
	return undefined;
}

/** Returns the action after "Action:": a JSON object, or a name followed by "Action Input:" on the next line. */
function findActionAfterLabel(text: string, from: number): ReactAction | undefined {
	const head = text.slice(from, from + 200);
	const named = /^\s{0,20}`?([\w.:/-]{1,128})`?[ \t]*(?:\n|$)/.exec(head);
	if (named?.[1] === undefined || /^`*json$/i.test(named[1])) {
		const blob = findJsonBlock(text, from);
		return blob === undefined ? undefined : readAction(parseJsonBlock(blob), false);
	}
	const after = text.slice(from + named[0].length);
	const input = /^\s{0,20}Action[ _]Input[ \t]*:[ \t]*/i.exec(after);
	if (!input) {
		return { name: named[1], input: {} };
	}
	const written = after.slice(input[0].length).replace(/\n\s{0,20}(?:Observation|Thought)\s{0,4}:[\s\S]*/i, '');
	const blob = /^\s{0,20}(?:```(?:json)?\s{0,20})?[{[]/.test(written) ? findJsonBlock(written, 0) : undefined;
	return { name: named[1], input: blob === undefined ? written.trim() : parseJsonBlock(blob) };
}

/** Returns the object or list from the first bracket to its closing bracket, or to the end of the text if it isn't closed. */
function findJsonBlock(text: string, from: number): string | undefined {
	const open = text.slice(from, from + longestBlob).search(/[{[]/);
	if (open < 0) {
		return undefined;
	}
	const start = from + open;
	const most = Math.min(text.length, start + longestBlob);
	let depth = 0;
	let quoted = false;
	for (let i = start; i < most; i++) {
		const character = text[i];
		if (quoted) {
			if (character === '\\') {
				i++;
			} else if (character === '"') {
				quoted = false;
			}
		} else if (character === '"') {
			quoted = true;
		} else if (character === '{' || character === '[') {
			depth++;
		} else if ((character === '}' || character === ']') && --depth === 0) {
			return text.slice(start, i + 1);
		}
	}
	return text.slice(start, most);
}

function parseJsonBlock(blob: string): unknown {
	return tryParseJson(blob) ?? tryRepairJson(blob);
}

function tryRepairJson(blob: string): unknown {
	try {
		return repairJson(blob);
	} catch {
		return undefined;
	}
}

const nameKeys = ['action', 'tool', 'tool_name', 'name', 'function'];
const inputKeys = ['action_input', 'tool_input', 'input', 'arguments', 'parameters', 'args'];
const envelopes = ['tool_call', 'tool_calling', 'tool_calls', 'function'];

/** @param strict true if found at an unlabeled position, where a name alone isn't an action */
function readAction(value: unknown, strict: boolean): ReactAction | undefined {
	const whole = Array.isArray(value) && value.length === 1 ? value[0] : value;
	if (!isObjectValue(whole)) {
		return undefined;
	}
	const fields = new Map(Object.entries(whole).map(([key, field]) => [key.toLowerCase(), field]));
	const name = nameKeys.map(key => fields.get(key)).find(field => typeof field === 'string' && field.trim() !== '');
	const inputKey = inputKeys.find(key => fields.has(key));
	if (typeof name !== 'string') {
		const inside = envelopes.map(key => fields.get(key)).find(field => typeof field === 'object' && field !== null);
		return inside === undefined ? undefined : readAction(inside, strict);
	}
	if (strict && inputKey === undefined && !fields.has('action')) {
		return undefined;
	}
	return { name: name.trim(), input: inputKey === undefined ? {} : (fields.get(inputKey) ?? {}) };
}
