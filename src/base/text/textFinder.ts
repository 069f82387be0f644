import { anyOf } from './secretForms.ts';

/**
 * Characters by which a text is found. A pattern of whole texts takes their length for each character, and can be too long to be a pattern.
 */
const startLength = 64;

/** Finds texts, such as secrets, within others. Takes time linear in what is searched, however long the texts are. */
export class TextFinder {
	/** The longest first. */
	readonly #texts: readonly string[];
	/** Texts by what they start with. */
	readonly #byStart: ReadonlyMap<string, readonly string[]>;
	readonly #starts: RegExp | undefined;

	constructor(texts: Iterable<string>) {
		this.#texts = [...new Set(texts)].sort((a, b) => b.length - a.length);
		this.#byStart = Map.groupBy(this.#texts, text => text.slice(0, startLength));
		this.#starts = anyOf(this.#byStart.keys());
	}

	/** The text with the mask in place of every text that is found. If only the start of one is there, that is masked too. */
	mask(text: string, mask: string): string {
		const lengthAt = (at: number, start: string) =>
			Math.max(...(this.#byStart.get(start) ?? []).map(each => commonLength(text, at, each, start.length)));
		return this.#replace(text, lengthAt, () => mask);
	}

	/** The text with every text that is found, the longest that fits, replaced. */
	replace(text: string, replaced: (found: string) => string): string {
		const lengthAt = (at: number) => this.#texts.find(each => text.startsWith(each, at))?.length ?? 0;
		return this.#replace(text, lengthAt, replaced);
	}

	/** @param lengthAt how long what is found at a position is; 0 for nothing */
	#replace(text: string, lengthAt: (at: number, start: string) => number, replaced: (found: string) => string): string {
		const starts = this.#starts;
		if (!starts) {
			return text;
		}
		let result = '';
		let end = 0;
		starts.lastIndex = 0;
		for (let match = starts.exec(text); match; match = starts.exec(text)) {
			const { 0: start, index } = match;
			const length = lengthAt(index, start);
			starts.lastIndex = index + (length || 1);
			if (length > 0) {
				result += text.slice(end, index) + replaced(text.slice(index, index + length));
				end = starts.lastIndex;
			}
		}
		return end === 0 ? text : result + text.slice(end);
	}
}

/** Returns what replaces each of these texts, the longest that fits, by what it maps to; undefined for none. */
export function replacerOf(replacements: ReadonlyMap<string, string>): ((text: string) => string) | undefined {
	const finder = new TextFinder(replacements.keys());
	return replacements.size > 0 ? text => finder.replace(text, found => replacements.get(found) ?? found) : undefined;
}

/** How many characters of a text stand at a position of another, where so many are known to. */
function commonLength(text: string, at: number, part: string, known: number): number {
	let length = known;
	while (length < part.length && text.charCodeAt(at + length) === part.charCodeAt(length)) {
		length++;
	}
	return length;
}
