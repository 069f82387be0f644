import type { Node } from 'jsonc-parser';
import type { Translate } from '#base/text/localization.ts';
import { checkSchema, type JsonSchema } from '#base/text/schemaCheck.ts';
import { propertyOf, type TextFault } from '#base/text/textFaults.ts';
import { parseJsonText } from './jsonText.ts';

/** A run file as read from its text: its nodes with their places, and what is wrong with its form. */
export interface ParsedRunFile {
	/** Top object; absent where the text is not JSON. */
	readonly root: Node | undefined;
	readonly faults: readonly TextFault[];
	/** Agent name, where it is one. */
	readonly agent: string | undefined;
	readonly inputs: Node | undefined;
}

/** Parses a run file and checks its form: JSON without comments, then the schema. Says nothing of agents and their variables. */
export function parseRunFile(text: string, schema: JsonSchema, t: Translate): ParsedRunFile {
	const { root, fault } = parseJsonText(text, { comments: false, expected: t("a JSON object with 'model' and 'inputs'") }, t);
	const faults: readonly TextFault[] = fault ? [fault] : root ? checkSchema(root, schema, schema, t) : [];
	const model = propertyOf(root, 'model');
	const inputs = propertyOf(root, 'inputs');
	return {
		root,
		faults,
		agent: model?.type === 'string' && model.value !== '' ? model.value : undefined,
		inputs: inputs?.type === 'object' ? inputs : undefined,
	};
}
