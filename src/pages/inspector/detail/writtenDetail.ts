import { findNodeKind } from '#agentFile/nodeKinds/nodeKinds.ts';
import { getFieldText, getItems, toFields } from '#base/records/plainValues.ts';
import { cutText } from '#base/text/cutText.ts';
import type { NodeRecord } from './nodeDetail.ts';

/** A value from the run that belongs to a text of the agent file. */
interface ShownValue {
	readonly part: 'inputs' | 'outputs' | 'filled';
	readonly text: string;
	readonly isText: boolean;
}

/** A text of a node in its agent file, with its values in the run. */
export interface WrittenPart {
	/** Role of a prompt message. */
	readonly role?: string;
	readonly text: string;
	/** Language ID of code blocks; empty for plain text. */
	readonly language: string;
	readonly became: readonly ShownValue[];
}

/** Maximum length of a shown text, in UTF-16 units. The file and the run record have the rest. */
const longestText = 100_000;

/**
 * Pairs the texts of a node in its agent file with the values of the run: a template with its output, code with its inputs and outputs,
 * prompts with the messages sent to the model. Returns undefined for other nodes, and if the file and the run don't match.
 * @param data the node's `data` in the file
 */
export function getWrittenParts(data: unknown, { inputs, processData, outputs }: NodeRecord): readonly WrittenPart[] | undefined {
	switch (findNodeKind(getFieldText(data, 'type'))?.written) {
		case 'template': {
			const output = toFields(outputs)['output'];
			return typeof output === 'string'
				? [createWrittenPart(getFieldText(data, 'template'), 'jinja', [createFilledValue(output)])]
				: undefined;
		}
		case 'program': {
			const language = getFieldText(data, 'code_language') === 'javascript' ? 'javascript' : 'python';
			const values = [toShownValues('inputs', inputs), toShownValues('outputs', outputs)].flat();
			return getFieldText(data, 'code') !== '' && values.length > 0
				? [createWrittenPart(getFieldText(data, 'code'), language, values)]
				: undefined;
		}
		case 'prompts':
			return pairPrompts(data, getItems(processData, 'prompts'));
		default:
			return undefined;
	}
}

/** Returns undefined if the run had other messages than the file, for example earlier turns, because it's unclear which ones correspond. */
function pairPrompts(data: unknown, prompts: readonly unknown[]): readonly WrittenPart[] | undefined {
	const template = toFields(data)['prompt_template'];
	const written = Array.isArray(template) ? template : template === undefined ? [] : [template];
	const isMatch =
		written.length > 0 &&
		written.length === prompts.length &&
		written.every(
			(message, at) => getFieldText(message, 'role') === '' || getFieldText(message, 'role') === getFieldText(prompts[at], 'role'),
		);
	return isMatch
		? written.map((message, at) => ({
				...createWrittenPart(getFieldText(message, getFieldText(message, 'edition_type') === 'jinja2' ? 'jinja2_text' : 'text'), '', [
					createFilledValue(getFieldText(prompts[at], 'text')),
				]),
				role: getFieldText(prompts[at], 'role'),
			}))
		: undefined;
}

function createWrittenPart(text: string, language: string, became: readonly ShownValue[]): WrittenPart {
	return { text: cutText(text, longestText), language, became };
}

function createFilledValue(text: string): ShownValue {
	return { part: 'filled', text: cutText(text, longestText), isText: true };
}

function toShownValues(part: 'inputs' | 'outputs', value: unknown): ShownValue[] {
	return value === undefined ? [] : [{ part, text: cutText(JSON.stringify(value, undefined, 2), longestText), isText: false }];
}
