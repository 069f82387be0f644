import { visit } from 'yaml';
import { AgentText } from '#agentFile/agentText.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { applyChanges } from '#agentFile/writing/textChanges.ts';
import type { ValueEdit } from '#agentFile/writing/valueEdits.ts';
import { writeEdits } from '#agentFile/writing/writeEdits.ts';
import { fieldsOf, isSame, itemsOf, textOf } from '#base/records/plainValues.ts';
import { formatMessage } from '#base/text/localizableMessage.ts';

/**
 * What a file should hold when the deployment's text takes its place: that text, byte for byte, but for the file's line ends, and what exports leave out or cannot have and the file
 * has. Values of secrets stay. A file with comments or anchors keeps these, and its order, wherever what they stand at is still there: it is changed in the
 * fewest places that make it say what is there.
 * @param here what the file says; any text
 * @param there what the deployment exported
 */
export function pulledText(here: string, there: string): string {
	const read = new AgentText(here);
	const wanted = withSecretsOf(read.content, there);
	if (read.error || !hasOwnWriting(read)) {
		return withEndsOf(here, wanted);
	}
	const content = fieldsOf(new AgentText(wanted).content);
	const own = fieldsOf(read.content);
	const edits = [...new Set([...Object.keys(own), ...Object.keys(content)])]
		.filter(name => !isSame(own[name], content[name]))
		.map((name): ValueEdit => ({ kind: 'set', path: [name], value: content[name] }));
	const kept = edited(here, edits);
	// what is written anew went through JavaScript's numbers
	return kept !== undefined && longNumbers(wanted).every(number => kept.includes(number)) ? kept : withEndsOf(here, wanted);
}

/** Whole numbers that JavaScript may not have exactly. */
function longNumbers(text: string): readonly string[] {
	return text.match(/(?<![\w.])\d{16,}(?![\w.])/g) ?? [];
}

/** Line ends as a file has them: whose system writes others would see every line changed. */
function withEndsOf(here: string, text: string): string {
	return /^[^\n]*\r\n/.test(here) ? text.replaceAll(/\r?\n/g, '\r\n') : text;
}

/** The deployment's text with the values of secrets that a file has, where the text has none. */
function withSecretsOf(here: unknown, there: string): string {
	const values = new Map(
		secretsIn(here)
			.filter(({ value }) => value !== '')
			.map(({ key, value }) => [key, value]),
	);
	const edits = secretsIn(new AgentText(there).content).flatMap(({ key, value, at }): ValueEdit[] => {
		const own = values.get(key);
		const path = ['workflow', 'environment_variables', at, 'value'];
		return own !== undefined && value === '' ? [{ kind: 'set', path, value: own }] : [];
	});
	return edited(there, edits) ?? there;
}

function secretsIn(content: unknown): readonly { readonly key: string; readonly value: string; readonly at: number }[] {
	return itemsOf(fieldsOf(content).workflow, 'environment_variables').flatMap((variable, at) =>
		textOf(variable, 'value_type') === 'secret'
			? [{ key: textOf(variable, 'id') || textOf(variable, 'name'), value: textOf(variable, 'value'), at }]
			: [],
	);
}

/** `undefined` where the text has no place for the edits. */
function edited(text: string, edits: readonly ValueEdit[]): string | undefined {
	if (edits.length === 0) {
		return text;
	}
	try {
		return applyChanges(text, writeEdits(new AgentReading(text), edits, { shared: anchor => anchor, size: formatMessage, place: '' }));
	} catch {
		return undefined;
	}
}

/** Whether a file has what no export has: comments or anchors. */
function hasOwnWriting({ document }: AgentText): boolean {
	let found = Boolean(document?.comment || document?.commentBefore);
	if (document) {
		visit(document, {
			Node: (_, node) => {
				found ||= Boolean(node.comment || node.commentBefore || ('anchor' in node && node.anchor));
				return found ? visit.BREAK : undefined;
			},
		});
	}
	return found;
}
