import type { JSONPath, Node } from 'jsonc-parser';
import type { Translate } from './localization.ts';

/** What kind of fault it is; quick fixes go by it. */
export type TextFaultCode =
	| 'syntax'
	| 'missing-field'
	| 'wrong-type'
	| 'wrong-value'
	| 'unknown-field'
	| 'unknown-agent'
	| 'agent-broken'
	| 'unknown-trigger'
	| 'unknown-node'
	| 'mocks-elsewhere'
	| 'missing-input'
	| 'left-out-input'
	| 'empty-input'
	| 'wrong-input'
	| 'unknown-input'
	| 'local-file'
	| 'placeholder'
	| 'double-name'
	| 'no-case'
	| 'wrong-check'
	| 'unknown-node'
	| 'unknown-column'
	| 'mocks-not-taken'
	| 'dataset';

/** One fault of a run file or suite, with its place in the text. */
export interface TextFault {
	readonly code: TextFaultCode;
	/** Warnings do not keep a run from being sent. */
	readonly severity: 'error' | 'warning';
	/** Names the field and what was expected; the file is named by whoever shows it. */
	readonly message: string;
	readonly path: JSONPath;
	/** Place in the text, in UTF-16 code units. */
	readonly offset: number;
	readonly length: number;
	/** What would be right, best first, for quick fixes. */
	readonly suggestions?: readonly string[];
}

/**
 * A value of a run file that cannot be made: a local file that may not or cannot be read, a placeholder without value. The message says
 * which and why.
 */
export class RunFileValueError extends Error {
	override readonly name = 'RunFileValueError';
}

/** Path as messages name it: `inputs.text`, `files[0].url`. */
export function pathText(path: JSONPath): string {
	return path.map((segment, at) => (typeof segment === 'number' ? `[${segment}]` : at === 0 ? segment : `.${segment}`)).join('');
}

/** Place of a value; of an object or array only its opening bracket, so that a fault of it does not underline the whole file. */
export function placeOf(node: Node): { offset: number; length: number } {
	return { offset: node.offset, length: node.type === 'object' || node.type === 'array' ? 1 : node.length };
}

/** Place of the name of the property that holds this value; of the value where it stands in no property. */
export function placeOfName(value: Node): { offset: number; length: number } {
	const name = value.parent?.type === 'property' ? value.parent.children?.[0] : undefined;
	return name ? { offset: name.offset, length: name.length } : placeOf(value);
}

/** Value of an object's property, as a node of the text. */
export function propertyOf(object: Node | undefined, name: string): Node | undefined {
	return object?.children?.find(property => property.children?.[0]?.value === name)?.children?.[1];
}

/** Properties of an object: name, and value where there is one already. */
export function propertiesOf(object: Node | undefined): { name: string; nameNode: Node; value: Node | undefined }[] {
	const properties = object?.type === 'object' ? (object.children ?? []) : [];
	return properties.flatMap(({ children }) =>
		children?.[0] ? [{ name: String(children[0].value), nameNode: children[0], value: children[1] }] : [],
	);
}

/** Kind of a value as messages name it. */
export function kindOf(node: Node, t: Translate): string {
	switch (node.type) {
		case 'object':
			return t('an object');
		case 'array':
			return t('a list');
		case 'string':
			return t('a string');
		case 'number':
			return t('a number');
		case 'boolean':
			return t('true or false');
		default:
			return 'null';
	}
}
