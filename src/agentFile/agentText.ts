import {
	type Document,
	type DocumentOptions,
	isAlias,
	isNode,
	isScalar,
	Lexer,
	LineCounter,
	type ParseOptions,
	parseDocument,
	type Schema,
	type SchemaOptions,
	visit,
	YAMLParseError,
} from 'yaml';
import { formatMessage, type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import type { YamlCost } from '#base/text/yamlCost.ts';
import { agentYaml } from './agentYaml.ts';
import { findOpenQuote, readContinuedTokens, readTokens } from './continuedLines.ts';
import { findExceededCount, measureFileCost } from './fileBudget.ts';
import { readLastBlock } from './lastLine.ts';
import { readSeparators } from './lineSeparators.ts';

/** Keys and indexes from the root of a file to a value. */
export type Path = readonly (string | number)[];

/** Why a text, or a part of it, can't be read. Offsets are in UTF-16 code units. */
export interface TextError {
	/**
	 * `size`: the file exceeds a limit, and the message is a sentence. `syntax`: the file isn't valid YAML, and the message has no final
	 * period.
	 */
	readonly kind: 'size' | 'syntax';
	/** The message in English. */
	readonly message: string;
	readonly localizable: LocalizableMessage;
	readonly offset: number;
	readonly length: number;
}

/** Size limit of an agent file in bytes (workflow DSL, "File"). */
const maxBytes = 10 * 1024 * 1024;

/**
 * The text of an agent file, parsed as YAML for the gateway, the editor and pictures. Accepts any text, but doesn't parse one that exceeds
 * the limits, because that could take minutes or gigabytes.
 */
export class AgentText {
	readonly text: string;
	/** The first error, because later ones usually follow from it. The rest of the text is still read if possible. */
	readonly error: TextError | undefined;
	/** Plain values of the text, with aliases and merges resolved; `undefined` if they can't be determined. */
	readonly content: unknown;
	/** The parsed document with ranges; `undefined` if the text wasn't parsed. */
	readonly document: Document.Parsed | undefined;
	/** True if the text is well-formed YAML, even if it has other errors such as duplicate keys. */
	readonly isWellFormed: boolean = false;
	/** Counts of everything in the text that has a limit. */
	readonly cost: YamlCost;
	#lines = new LineCounter();

	/**
	 * @param options.schema schema of `agentYaml`, created once by callers that parse many small texts
	 * @param options.exact true to read integers as bigints if a number can't represent them
	 * @param options.isPart true if the text is part of a file, so that indentation decides where its values end
	 */
	constructor(
		text: string,
		{ schema, exact = false, isPart = false }: { readonly schema?: Schema; readonly exact?: boolean; readonly isPart?: boolean } = {},
	) {
		this.text = text;
		const lines = replaceLoneReturns(text);
		this.cost = measureFileCost(new Lexer().lex(lines));
		const excess = findExceededLimit(text, [this.cost]);
		if (excess !== undefined) {
			this.error = createTextError('size', excess);
			return;
		}
		try {
			// the package checks for duplicate keys in quadratic time
			const options = {
				...agentYaml,
				prettyErrors: false,
				uniqueKeys: false,
				intAsBigInt: exact,
				...(schema && { schema }),
			} as const;
			const document = this.#parse(lines, options, isPart);
			this.isWellFormed = document.errors.length === 0;
			this.error = findTextError(document);
			readSeparators(document, text);
			readLastBlock(document, text);
			// throws if aliases would expand without limit
			this.content = document.toJS();
			this.document = document;
		} catch (cause) {
			// a RangeError means a stack overflow
			const message =
				cause instanceof RangeError ? localizable`Lists or maps are nested too deeply` : localizable`${(cause as Error).message}`;
			this.error ??= createTextError('syntax', message);
		}
	}

	#parse(text: string, options: ParseOptions & DocumentOptions & SchemaOptions, isPart: boolean): Document.Parsed {
		const tokens = this.cost.isCut && !isPart ? readContinuedTokens(text) : undefined;
		if (tokens && findExceededCount([measureFileCost(tokens)]) === undefined) {
			const lines = new LineCounter();
			const document = readTokens(tokens, options, lines);
			if (document) {
				this.#lines = lines;
				return document;
			}
		}
		const document = parseDocument(text, { ...options, lineCounter: this.#lines });
		// the package doesn't notice that a value was cut off if its first line ends with an escaped quote
		const open = this.cost.isCut && document.errors.length === 0 ? findOpenQuote(text) : undefined;
		if (open) {
			document.errors.push(new YAMLParseError([open.end, open.end + 1], 'MISSING_CHAR', `Missing closing ${open.quote}quote`));
		}
		return document;
	}

	/** Returns the line (from 1) of a value, or of its nearest parent in the text. */
	getLineOfPath(path: Path): number {
		for (let length = path.length; length >= 0; length--) {
			const node = length === 0 ? this.document?.contents : this.document?.getIn(path.slice(0, length), true);
			if (isNode(node) && node.range) {
				return this.getLineAt(node.range[0]);
			}
		}
		return 1;
	}

	/** Returns the line (from 1) of an offset. */
	getLineAt(offset: number): number {
		// a text that wasn't parsed has no lines
		return Math.max(1, this.#lines.linePos(offset).line);
	}
}

/** Replaces lone carriage returns with line feeds: they end a line in PyYAML, but not in `yaml`. Offsets stay the same. */
export function replaceLoneReturns(text: string): string {
	return text.replaceAll(/\r(?!\n)/g, '\n');
}

/** Returns which limit of agent files a text exceeds; `undefined` if it is within all limits. */
export function findExceededLimit(text: string, parts: readonly YamlCost[]): LocalizableMessage | undefined {
	// a character is at most three bytes; no Buffer, because web pages read agent files too
	return text.length * 3 > maxBytes && new TextEncoder().encode(text).length > maxBytes
		? localizable`The file is larger than 10 MB, the limit for agent files.`
		: findExceededCount(parts);
}

/** Creates an error. Without an offset, it's at the start of the text. */
export function createTextError(kind: TextError['kind'], message: LocalizableMessage, offset = 0, length = 1): TextError {
	return { kind, message: formatMessage(message), localizable: message, offset, length };
}

function findTextError(document: Document.Parsed): TextError | undefined {
	const [first] = document.errors;
	if (first) {
		const [from, to] = first.pos;
		return createTextError('syntax', localizable`${first.message}`, from, Math.max(1, to - from));
	}
	let found: TextError | undefined;
	const reportError = (message: LocalizableMessage, range: readonly [number, number, number] | null | undefined) => {
		const [from, to] = range ?? [0, 1];
		if (!found || from < found.offset) {
			found = createTextError('syntax', message, from, to - from);
		}
	};
	visit(document, {
		Alias: (_, alias, around) => {
			const isInside = around.some(each => isNode(each) && !isAlias(each) && each.anchor === alias.source);
			if (isInside && around.includes(alias.resolve(document) as never)) {
				reportError(localizable`The alias *${alias.source} refers to a value that contains it`, alias.range);
			}
		},
		Map: (_, { items }) => {
			const keys = new Set<unknown>();
			for (const { key } of items) {
				if (!isScalar(key)) {
					continue;
				}
				if (keys.has(key.value)) {
					reportError(localizable`Duplicate key '${String(key.value)}'`, key.range);
				}
				keys.add(key.value);
			}
		},
	});
	return found;
}
