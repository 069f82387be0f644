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
} from 'yaml';
import { formatMessage, type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import { agentYaml } from './agentYaml.ts';
import { readTokens, tokensOf } from './continuedLines.ts';
import { costOf, excessIn, type TextCost } from './fileBudget.ts';
import { readLastBlock } from './lastLine.ts';
import { readSeparators } from './lineSeparators.ts';

/** Keys and indexes from the top of a file to a value in it. */
export type Path = readonly (string | number)[];

/** Why a text, or a part of it, cannot be read. Offsets are in UTF-16 code units. */
export interface TextError {
	/** `size`: the file exceeds a limit; the message is a sentence. `syntax`: it isn't valid YAML; the message has no final period. */
	readonly kind: 'size' | 'syntax';
	/** In English. */
	readonly message: string;
	readonly localizable: LocalizableMessage;
	readonly offset: number;
	readonly length: number;
}

/** Bytes of an agent file (workflow DSL, "File"). */
const maxBytes = 10 * 1024 * 1024;

/**
 * The text of an agent file, read as YAML: the one way in for the gateway, the editor and pictures. Takes any text; one that is made to take
 * minutes or gigabytes is left unread.
 */
export class AgentText {
	readonly text: string;
	/** The first thing that is wrong: what comes after it mostly follows from it. What stands around it is read nevertheless where it can be. */
	readonly error: TextError | undefined;
	/** What the text holds as plain values, aliases and merges resolved; `undefined` where that cannot be told. */
	readonly content: unknown;
	/** The text with its places; absent where it was not read. */
	readonly document: Document.Parsed | undefined;
	/** Whether the error is none of the form of YAML, but a key that is there twice, or the like. */
	readonly isWellFormed: boolean = false;
	/** What it holds of what is bounded. */
	readonly cost: TextCost;
	#lines = new LineCounter();

	/**
	 * @param options.schema that of `agentYaml`, created once by callers that read many small texts
	 * @param options.exact whether `content` has integers as bigints if a number can't hold them
	 * @param options.isPart whether the text was cut out of a file, so that values end in it only if they are indented
	 */
	constructor(
		text: string,
		{ schema, exact = false, isPart = false }: { readonly schema?: Schema; readonly exact?: boolean; readonly isPart?: boolean } = {},
	) {
		this.text = text;
		const lines = withLineFeeds(text);
		this.cost = costOf(new Lexer().lex(lines));
		const excess = excessOf(text, [this.cost]);
		if (excess !== undefined) {
			this.error = createTextError('size', excess);
			return;
		}
		try {
			// the package looks for doubled keys by comparing each with each
			const options = {
				...agentYaml,
				prettyErrors: false,
				uniqueKeys: false,
				intAsBigInt: exact,
				...(schema && { schema }),
			} as const;
			const document = this.#parse(lines, options, isPart);
			this.isWellFormed = document.errors.length === 0;
			this.error = errorOf(document);
			readSeparators(document, text);
			readLastBlock(document, text);
			// refuses aliases that would grow without end
			this.content = document.toJS();
			this.document = document;
		} catch (cause) {
			// a RangeError: a stack that is used up
			const message =
				cause instanceof RangeError ? localizable`Lists or maps are nested too deeply` : localizable`${(cause as Error).message}`;
			this.error ??= createTextError('syntax', message);
		}
	}

	#parse(text: string, options: ParseOptions & DocumentOptions & SchemaOptions, isPart: boolean): Document.Parsed {
		const tokens = this.cost.isCut && !isPart ? tokensOf(text) : undefined;
		if (tokens && excessIn([costOf(tokens)]) === undefined) {
			const lines = new LineCounter();
			const document = readTokens(tokens, options, lines);
			if (document) {
				this.#lines = lines;
				return document;
			}
		}
		return parseDocument(text, { ...options, lineCounter: this.#lines });
	}

	/** Line, from 1, of a value, or of the nearest value around it that the text has. */
	lineOf(path: Path): number {
		for (let length = path.length; length >= 0; length--) {
			const node = length === 0 ? this.document?.contents : this.document?.getIn(path.slice(0, length), true);
			if (isNode(node) && node.range) {
				return this.lineAt(node.range[0]);
			}
		}
		return 1;
	}

	/** Line, from 1, of an offset. */
	lineAt(offset: number): number {
		// a text that was not read has no lines
		return Math.max(1, this.#lines.linePos(offset).line);
	}
}

/** The text with line feeds for single carriage returns, which end a line for PyYAML, but not for `yaml`. Positions stay the same. */
export function withLineFeeds(text: string): string {
	return text.replaceAll(/\r(?!\n)/g, '\n');
}

/** Returns which limit of agent files a text exceeds; `undefined` if it is within all limits. */
export function excessOf(text: string, parts: readonly TextCost[]): LocalizableMessage | undefined {
	return Buffer.byteLength(text) > maxBytes ? localizable`The file is larger than 10 MB, the limit for agent files.` : excessIn(parts);
}

/** Creates an error; without a range, it is at the start of the text. */
export function createTextError(kind: TextError['kind'], message: LocalizableMessage, offset = 0, length = 1): TextError {
	return { kind, message: formatMessage(message), localizable: message, offset, length };
}

function errorOf(document: Document.Parsed): TextError | undefined {
	const [first] = document.errors;
	if (first) {
		const [from, to] = first.pos;
		return createTextError('syntax', localizable`${first.message}`, from, Math.max(1, to - from));
	}
	let found: TextError | undefined;
	const report = (message: LocalizableMessage, range: readonly [number, number, number] | null | undefined) => {
		const [from, to] = range ?? [0, 1];
		if (!found || from < found.offset) {
			found = createTextError('syntax', message, from, to - from);
		}
	};
	visit(document, {
		Alias: (_, alias, around) => {
			const isInside = around.some(each => isNode(each) && !isAlias(each) && each.anchor === alias.source);
			if (isInside && around.includes(alias.resolve(document) as never)) {
				report(localizable`The alias *${alias.source} refers to a value that contains it`, alias.range);
			}
		},
		Map: (_, { items }) => {
			const keys = new Set<unknown>();
			for (const { key } of items) {
				if (!isScalar(key)) {
					continue;
				}
				if (keys.has(key.value)) {
					report(localizable`Duplicate key '${String(key.value)}'`, key.range);
				}
				keys.add(key.value);
			}
		},
	});
	return found;
}
