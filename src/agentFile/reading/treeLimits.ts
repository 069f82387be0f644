import { type Alias, type Document, isAlias, isMap, isSeq } from 'yaml';
import { localizable } from '#base/text/localizableMessage.ts';
import { createTextError, type TextError } from '../agentText.ts';

/** Maximum depth of nested values, limited because code that visits trees is recursive. Real files have a depth of about twenty. */
const mostLevels = 200;
/** Maximum number of values, counting each use of an alias: enough for ten thousand nodes. */
const mostValues = 300_000;

/** Creates the error for a depth of nested values; `undefined` if the depth is within the limit. */
export function createLevelsError(levels: number): TextError | undefined {
	return levels > mostLevels + 1
		? createTextError('size', localizable`The file is nested too deeply. The limit is ${mostLevels} levels.`)
		: undefined;
}

/** Returns why a document has no tree: it's nested too deeply, or expands too much through aliases. */
export function findTreeExcess(document: Document.Parsed): TextError | undefined {
	return new Extent(document).findExcess();
}

class Extent {
	readonly #document: Document.Parsed;
	#values = 0;

	constructor(document: Document.Parsed) {
		this.#document = document;
	}

	findExcess(): TextError | undefined {
		const levels = this.#measureLevels(this.#document.contents, 1);
		return this.#values > mostValues
			? createTextError(
					'size',
					localizable`The file has more than ${mostValues.toLocaleString('en')} values, counting each use of an alias.`,
				)
			: createLevelsError(levels);
	}

	/** Measures the depth of nested values up to the limit. */
	#measureLevels(node: unknown, level: number): number {
		if (level > mostLevels + 1 || ++this.#values > mostValues) {
			return level;
		}
		if (isAlias(node)) {
			return this.#measureLevels((node as Alias).resolve(this.#document), level + 1);
		}
		const inner = isSeq(node) ? node.items : isMap(node) ? node.items.flatMap(({ key, value }) => [key, value]) : [];
		let deepest = level;
		for (const each of inner) {
			deepest = Math.max(deepest, this.#measureLevels(each, level + 1));
		}
		return deepest;
	}
}
