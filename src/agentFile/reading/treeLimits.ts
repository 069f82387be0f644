import { type Alias, type Document, isAlias, isMap, isSeq } from 'yaml';
import { localizable } from '#base/text/localizableMessage.ts';
import { createTextError, type TextError } from '../agentText.ts';

/** Values inside values that are read; what people write has about twenty. All that looks at a tree goes down it by calls. */
const mostLevels = 200;
/** Values that are read, those that aliases stand for counted each time: enough for ten thousand nodes. */
const mostValues = 300_000;

/** The error of a text whose values lie so deep in each other. */
export function levelsError(levels: number): TextError | undefined {
	return levels > mostLevels + 1
		? createTextError('size', localizable`The file is nested too deeply. The limit is ${mostLevels} levels.`)
		: undefined;
}

/** Why a document makes no tree: it is nested too deep, or grows too large by its aliases. */
export function excessOfTree(document: Document.Parsed): TextError | undefined {
	return new Extent(document).excess();
}

class Extent {
	readonly #document: Document.Parsed;
	#values = 0;

	constructor(document: Document.Parsed) {
		this.#document = document;
	}

	excess(): TextError | undefined {
		const levels = this.#levels(this.#document.contents, 1);
		return this.#values > mostValues
			? createTextError(
					'size',
					localizable`The file has more than ${mostValues.toLocaleString('en')} values, counting each use of an alias.`,
				)
			: levelsError(levels);
	}

	/** How deep values lie in each other, as far as that is to be known. */
	#levels(node: unknown, level: number): number {
		if (level > mostLevels + 1 || ++this.#values > mostValues) {
			return level;
		}
		if (isAlias(node)) {
			return this.#levels((node as Alias).resolve(this.#document), level + 1);
		}
		const inner = isSeq(node) ? node.items : isMap(node) ? node.items.flatMap(({ key, value }) => [key, value]) : [];
		let deepest = level;
		for (const each of inner) {
			deepest = Math.max(deepest, this.#levels(each, level + 1));
		}
		return deepest;
	}
}
