/** Counts of a YAML text or a part of it, incomplete if a limit is exceeded. */
export interface YamlCost {
	/** Keys, values, punctuation and empty lines. */
	readonly tokens: number;
	readonly emptyLines: number;
	readonly aliases: number;
	/** Number of anchors and tags. */
	readonly properties: number;
	/** Number of `?` marks. Keys that such a mark starts take cubic time if they are nested. */
	readonly keys: number;
	/** Number of brackets that stay open. */
	readonly depth: number;
	/** Maximum depth of brackets, and of `-` or `?` marks. */
	readonly deepest: number;
	readonly marks: number;
	/** Sum of the depth of all brackets. */
	readonly nesting: number;
	/** True if the lexer ended a value too early because a line isn't indented enough. */
	readonly isCut: boolean;
}

/** Maximum counts, by their name. */
type YamlLimits = Readonly<Record<Exclude<keyof YamlCost, 'depth' | 'isCut'>, number>>;

/** Limits for texts of other programs and people. */
export const foreignYamlLimits: YamlLimits = {
	tokens: 200_000,
	emptyLines: 50_000,
	aliases: 1000,
	properties: 5000,
	keys: 1000,
	deepest: 100,
	marks: 500,
	nesting: 250_000,
};

/** Counts the tokens of a text up to the limits, because parsing a malicious text of a few kilobytes takes minutes and gigabytes. */
export function measureCost(tokens: Iterable<string>, limits: YamlLimits): YamlCost {
	const cost = { tokens: 0, emptyLines: 0, aliases: 0, properties: 0, keys: 0, depth: 0, deepest: 0, marks: 0, nesting: 0, isCut: false };
	let marks = 0;
	let isLineEnd = false;
	for (const token of tokens) {
		const [first] = token;
		// "- - - -" and "? ? ? ?" are nested without brackets
		marks = first === '-' || first === '?' ? marks + 1 : /^[ \t]/.test(token) ? marks : 0;
		cost.depth += first === '[' || first === '{' ? 1 : first === ']' || first === '}' ? -1 : 0;
		cost.nesting += first === '[' || first === '{' ? cost.depth : 0;
		cost.aliases += first === '*' ? 1 : 0;
		cost.properties += first === '&' || first === '!' ? 1 : 0;
		cost.keys += token === '?' ? 1 : 0;
		cost.emptyLines += first === '\n' && isLineEnd ? 1 : 0;
		// empty lines count like keys, because a text of empty lines would take minutes
		cost.tokens += first === ' ' || (first === '\n' && !isLineEnd) ? 0 : 1;
		isLineEnd = first === '\n' || (isLineEnd && first === ' ');
		cost.deepest = Math.max(cost.deepest, cost.depth);
		cost.marks = Math.max(cost.marks, marks);
		cost.isCut ||= isCutToken(token);
		if (exceedsLimits(cost, limits)) {
			break;
		}
	}
	return cost;
}

/**
 * True if a text of another program or person can be parsed without blocking the thread.
 * @param tokens those of YAML's lexer @param mostTokens limit for texts that may be longer
 */
export function isParsableYaml(tokens: Iterable<string>, mostTokens = foreignYamlLimits.tokens): boolean {
	const limits = { ...foreignYamlLimits, tokens: mostTokens };
	return !exceedsLimits(measureCost(tokens, limits), limits);
}

function exceedsLimits(cost: YamlCost, limits: YamlLimits): boolean {
	return (
		cost.tokens > limits.tokens ||
		cost.emptyLines > limits.emptyLines ||
		cost.aliases > limits.aliases ||
		cost.properties > limits.properties ||
		cost.keys > limits.keys ||
		cost.deepest > limits.deepest ||
		cost.marks > limits.marks ||
		cost.nesting > limits.nesting
	);
}

/** Mark of the lexer for brackets that end by indentation. */
const bracketsEnd = '\u0018';

/** True if a token means that the lexer ended a value too early. The content of a block scalar can look like such a token. */
export function isCutToken(token: string): boolean {
	if (token.startsWith("'")) {
		return token.split("'").length % 2 === 0;
	}
	if (!token.startsWith('"')) {
		return token === bracketsEnd;
	}
	let last = token.length - 1;
	while (token[last - 1] === '\\') {
		last--;
	}
	return token.length === 1 || !token.endsWith('"') || (token.length - 1 - last) % 2 === 1;
}
