import { visit } from 'yaml';
import { AgentText } from '#agentFile/agentText.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { applyChanges } from '#agentFile/writing/textChanges.ts';
import type { ValueEdit } from '#agentFile/writing/valueEdits.ts';
import { writeEdits } from '#agentFile/writing/writeEdits.ts';
import { getFieldText, getItems, isDeepEqual, toFields } from '#base/records/plainValues.ts';
import { formatMessage } from '#base/text/localizableMessage.ts';

/**
 * Returns the new text of a file for a Dify export. This is the export with the file's line endings, plus values that exports can't
 * contain, such as those of secrets. If the file has comments or anchors, it's edited in as few places as possible instead, to preserve
 * them and its order.
 * @param here text of the file
 * @param there export from Dify
 */
export function createPulledText(here: string, there: string): string {
	const read = new AgentText(here);
	const wanted = addSecrets(read.content, there);
	if (read.error || !hasCommentsOrAnchors(read)) {
		return keepLineEndings(here, wanted);
	}
	const content = toFields(new AgentText(wanted).content);
	const own = toFields(read.content);
	const edits = [...new Set([...Object.keys(own), ...Object.keys(content)])]
		.filter(name => !isDeepEqual(own[name], content[name]))
		.map((name): ValueEdit => ({ kind: 'set', path: [name], value: content[name] }));
	const kept = applyEdits(here, edits);
	// editing writes numbers as JavaScript numbers, which may be rounded
	return kept !== undefined && findLongNumbers(wanted).every(number => kept.includes(number)) ? kept : keepLineEndings(here, wanted);
}

/** Returns the integers in a text that are too long for JavaScript numbers. */
function findLongNumbers(text: string): readonly string[] {
	return text.match(/(?<![\w.])\d{16,}(?![\w.])/g) ?? [];
}

/** Keeps the line endings of a file, so that not every line shows as changed. */
function keepLineEndings(here: string, text: string): string {
	return /^[^\n]*\r\n/.test(here) ? text.replaceAll(/\r?\n/g, '\r\n') : text;
}

/** Adds the values of a file's secrets to an export that doesn't have them. */
function addSecrets(here: unknown, there: string): string {
	const own = findSecrets(here).filter(({ value }) => value !== '');
	const edits = findSecrets(new AgentText(there).content).flatMap(({ id, name, value: exported, at }): ValueEdit[] => {
		// Dify gives a new variable another ID
		const { value } = own.find(each => each.id !== '' && each.id === id) ?? own.find(each => each.name === name) ?? {};
		const path = ['workflow', 'environment_variables', at, 'value'];
		return value !== undefined && exported === '' ? [{ kind: 'set', path, value }] : [];
	});
	return applyEdits(there, edits) ?? there;
}

interface FileSecret {
	readonly id: string;
	readonly name: string;
	readonly value: string;
	readonly at: number;
}

function findSecrets(content: unknown): readonly FileSecret[] {
	return getItems(toFields(content).workflow, 'environment_variables').flatMap((variable, at) =>
		getFieldText(variable, 'value_type') === 'secret'
			? [{ id: getFieldText(variable, 'id'), name: getFieldText(variable, 'name'), value: getFieldText(variable, 'value'), at }]
			: [],
	);
}

/** Returns the edited text, or `undefined` if the text can't be edited. */
function applyEdits(text: string, edits: readonly ValueEdit[]): string | undefined {
	if (edits.length === 0) {
		return text;
	}
	try {
		return applyChanges(text, writeEdits(new AgentReading(text), edits, { shared: anchor => anchor, size: formatMessage, place: '' }));
	} catch {
		return undefined;
	}
}

/** True if a file has comments or anchors, which exports never have. */
function hasCommentsOrAnchors({ document }: AgentText): boolean {
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
