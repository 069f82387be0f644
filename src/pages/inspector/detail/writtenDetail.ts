import { findNodeKind } from '#agentFile/nodeKinds/nodeKinds.ts';
import { fieldsOf, itemsOf, textOf } from '#base/records/plainValues.ts';
import { cutText } from '#base/text/cutText.ts';
import type { ToldOfNode } from './nodeDetail.ts';

/** Something that came of what is written, or went into it. */
interface ShownValue {
	readonly part: 'inputs' | 'outputs' | 'filled';
	readonly text: string;
	readonly isText: boolean;
}

/** A text of a node as its agent file has it, beside what it was in the run. */
export interface WrittenPart {
	/** Who says it, of the prompts of a model. */
	readonly role?: string;
	readonly text: string;
	/** Language of the text, as code blocks name it; empty for plain text. */
	readonly language: string;
	readonly became: readonly ShownValue[];
}

/** More of a text is not shown, in UTF-16 units; file and record have it. */
const longestText = 100_000;

/**
 * What a node's agent file says, beside what the run told of it: a template and its output, code with its inputs and result, prompts and what the model was
 * told. `undefined` for any other node, and where the two do not belong together: nothing is guessed. `data`: the node's `data` of the file.
 */
export function getWrittenParts(data: unknown, { inputs, processData, outputs }: ToldOfNode): readonly WrittenPart[] | undefined {
	switch (findNodeKind(textOf(data, 'type'))?.written) {
		case 'template': {
			const output = fieldsOf(outputs)['output'];
			return typeof output === 'string' ? [createPart(textOf(data, 'template'), 'jinja', [createFilledValue(output)])] : undefined;
		}
		case 'program': {
			const language = textOf(data, 'code_language') === 'javascript' ? 'javascript' : 'python';
			const values = [toShownValues('inputs', inputs), toShownValues('outputs', outputs)].flat();
			return textOf(data, 'code') !== '' && values.length > 0 ? [createPart(textOf(data, 'code'), language, values)] : undefined;
		}
		case 'prompts':
			return pairPrompts(data, itemsOf(processData, 'prompts'));
		default:
			return undefined;
	}
}

/** Messages that were added, such as earlier turns, belong to none that is written: then none is shown beside any. */
function pairPrompts(data: unknown, prompts: readonly unknown[]): readonly WrittenPart[] | undefined {
	const template = fieldsOf(data)['prompt_template'];
	const written = Array.isArray(template) ? template : template === undefined ? [] : [template];
	const belong =
		written.length > 0 &&
		written.length === prompts.length &&
		written.every((message, at) => textOf(message, 'role') === '' || textOf(message, 'role') === textOf(prompts[at], 'role'));
	return belong
		? written.map((message, at) => ({
				...createPart(textOf(message, textOf(message, 'edition_type') === 'jinja2' ? 'jinja2_text' : 'text'), '', [
					createFilledValue(textOf(prompts[at], 'text')),
				]),
				role: textOf(prompts[at], 'role'),
			}))
		: undefined;
}

function createPart(text: string, language: string, became: readonly ShownValue[]): WrittenPart {
	return { text: cutText(text, longestText), language, became };
}

function createFilledValue(text: string): ShownValue {
	return { part: 'filled', text: cutText(text, longestText), isText: true };
}

function toShownValues(part: 'inputs' | 'outputs', value: unknown): ShownValue[] {
	return value === undefined ? [] : [{ part, text: cutText(JSON.stringify(value, undefined, 2), longestText), isText: false }];
}
