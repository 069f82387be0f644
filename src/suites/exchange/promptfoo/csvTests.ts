import { splitAtCommas } from './splitAtCommas.ts';

/** A test of a row, with the fields that tests of a configuration have. */
interface RowTest {
	readonly description?: string;
	readonly vars: Readonly<Record<string, unknown>>;
	readonly assert: readonly Readonly<Record<string, unknown>>[];
	/** Columns with other settings, which aren't mapped. */
	readonly other: readonly string[];
}

/** Kinds with a threshold in parentheses, and what it is without. */
const thresholds: Readonly<Record<string, number>> = { latency: 0.75, cost: 0.75 };

/** Kinds of assertions. A cell that starts with another word is a text. */
const kinds = (
	'agent-rubric answer-relevance bleu classifier contains contains-all contains-any contains-html contains-json contains-sql contains-xml ' +
	'context-faithfulness context-recall context-relevance conversation-relevance cost equals factuality finish-reason g-eval gleu guardrails ' +
	'icontains icontains-all icontains-any is-html is-json is-refusal is-sql is-valid-function-call is-valid-openai-function-call ' +
	'is-valid-openai-tools-call is-xml javascript latency levenshtein llm-rubric meteor model-graded-closedqa model-graded-factuality ' +
	'moderation perplexity perplexity-score pi python regex rouge-n ruby search-rubric similar skill-used starts-with tool-call-f1 ' +
	'trace-error-spans trace-span-count trace-span-duration trajectory:goal-success trajectory:step-count trajectory:tool-args-match ' +
	'trajectory:tool-sequence trajectory:tool-used webhook word-count similar:cosine similar:dot similar:euclidean'
).split(' ');
/** `not-KIND(THRESHOLD): VALUE`. */
const expectation = new RegExp(`^(not-)?(${kinds.join('|')})(?:\\((\\d+(?:\\.\\d+)?)\\))?(?::([\\s\\S]*))?$`);

/** Converts a row of a CSV file to a test: columns with two underscores are settings, the others variables. */
export function readRowTest(row: Readonly<Record<string, unknown>>): RowTest {
	const vars: [string, unknown][] = [];
	const assert: Record<string, unknown>[] = [];
	const other: string[] = [];
	const settings: Record<string, string> = {};
	for (const [column, value] of Object.entries(row)) {
		const name = column.trim();
		if (/^__expected\d*$/.test(name)) {
			const text = String(value).trim();
			assert.push(...(text === '' ? [] : [parseExpected(text)]));
		} else if (name === '__description' || name === '__metric') {
			settings[name] = String(value);
		} else if (name.startsWith('__')) {
			other.push(...(String(value).trim() === '' ? [] : [column]));
		} else {
			vars.push([name, value]);
		}
	}
	const { __description: description, __metric: metric } = settings;
	return {
		...(description !== undefined && description !== '' && { description }),
		vars: Object.fromEntries(vars),
		assert: assert.map(each => ({ ...each, ...(metric !== undefined && metric !== '' && { metric }) })),
		other,
	};
}

/** Parses a cell such as `not-contains: late`. A text without a kind must be equal. */
function parseExpected(text: string): Record<string, unknown> {
	const code =
		/^(javascript|fn|eval|python):/.exec(text)?.[1] ?? (/^file:\/\/.*\.(?:[cm]?[jt]s|py)(?::\w+)?$/.test(text) ? 'javascript' : undefined);
	if (code !== undefined) {
		return { type: code === 'python' ? 'python' : 'javascript' };
	}
	const rubric = /^(?:grade|llm-rubric):([\s\S]*)$/.exec(text)?.[1];
	if (rubric !== undefined) {
		return { type: 'llm-rubric', value: rubric };
	}
	const [, not = '', kind, threshold, value] = expectation.exec(text) ?? [];
	if (kind === undefined) {
		return { type: 'equals', value: text };
	}
	const isList = /contains-a(?:ny|ll)$/.test(kind);
	const limit = Object.hasOwn(thresholds, kind) ? { threshold: threshold === undefined ? thresholds[kind] : Number(threshold) } : {};
	return { type: `${not}${kind}`, value: isList ? splitAtCommas(value ?? '') : value?.trim(), ...limit };
}
