import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import { foreignYamlLimits, measureCost, type YamlCost } from '#base/text/yamlCost.ts';

/** Limits far above those of real agents. */
const limits = { ...foreignYamlLimits, emptyLines: foreignYamlLimits.tokens, marks: 100, nesting: 1_000_000 };
export const maxTokens = limits.tokens;

/** Counts the tokens of an agent file or a part of it up to the limits. */
export function measureFileCost(tokens: Iterable<string>): YamlCost {
	return measureCost(tokens, limits);
}

/** Returns which limit a file exceeds, given the counts of its parts in order; `undefined` if it is within all limits. */
export function findExceededCount(parts: readonly YamlCost[]): LocalizableMessage | undefined {
	let [tokens, aliases, depth, others] = [0, 0, 0, { properties: 0, keys: 0, nesting: 0 }];
	for (const part of parts) {
		tokens += part.tokens;
		aliases += part.aliases;
		others = { properties: others.properties + part.properties, keys: others.keys + part.keys, nesting: others.nesting + part.nesting };
		if (tokens > limits.tokens) {
			return localizable`The file has more than ${limits.tokens.toLocaleString('en')} YAML tokens, the limit for agent files.`;
		}
		if (aliases > limits.aliases) {
			return localizable`The file has more than ${limits.aliases.toLocaleString('en')} aliases, the limit for agent files.`;
		}
		if (depth + part.deepest > limits.deepest || part.marks > limits.marks) {
			return localizable`The file has lists or maps nested more than ${limits.deepest} levels deep, the limit for agent files.`;
		}
		if (others.properties > limits.properties || others.keys > limits.keys || others.nesting > limits.nesting) {
			return localizable`The file has too many nested lists or maps, anchors, tags or '?' keys for an agent file.`;
		}
		depth += part.depth;
	}
	return undefined;
}
