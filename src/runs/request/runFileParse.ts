import type { Node } from 'jsonc-parser';
import type { Translate } from '#base/text/localization.ts';
import { checkSchema, type JsonSchema } from '#base/text/schemaCheck.ts';
import { findProperty, type TextFault } from '#base/text/textFaults.ts';
import { parseJsonText } from './jsonText.ts';

/** A parsed run file: its nodes with positions, and its problems. */
export interface ParsedRunFile {
	/** Top-level object; absent if the text isn't JSON. */
	readonly root: Node | undefined;
	readonly faults: readonly TextFault[];
	/** Agent name, if it's a string. */
	readonly agent: string | undefined;
	readonly inputs: Node | undefined;
}

/** Parses a run file and checks it: JSON without comments that matches the schema. Doesn't check agents and variables. */
export function parseRunFile(text: string, schema: JsonSchema, t: Translate): ParsedRunFile {
	const { root, fault } = parseJsonText(text, { comments: false, expected: t("a JSON object with 'model' and 'inputs'") }, t);
	const faults: readonly TextFault[] = fault ? [fault] : root ? checkSchema(root, schema, schema, t) : [];
	const model = findProperty(root, 'model');
	const inputs = findProperty(root, 'inputs');
	return {
		root,
		faults,
		agent: model?.type === 'string' && model.value !== '' ? model.value : undefined,
		inputs: inputs?.type === 'object' ? inputs : undefined,
	};
}
