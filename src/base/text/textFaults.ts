import type { JSONPath, Node } from 'jsonc-parser';
import type { Translate } from './localization.ts';

/** Kind of problem; quick fixes depend on it. */
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

/** A problem of a run file or suite, with its position. */
export interface TextFault {
	readonly code: TextFaultCode;
	/** Warnings don't prevent sending a run. */
	readonly severity: 'error' | 'warning';
	/** Names the field and the expected value, but not the file. */
	readonly message: string;
	readonly path: JSONPath;
	/** Position in the text, in UTF-16 code units. */
	readonly offset: number;
	readonly length: number;
	/** Suggested values, best first, for quick fixes. */
	readonly suggestions?: readonly string[];
}

/** A value of a run file can't be made: its local file can't be read, or a placeholder has no value. */
export class RunFileValueError extends Error {
	override readonly name = 'RunFileValueError';
}

/** Formats a path for messages: `inputs.text`, `files[0].url`. */
export function formatJsonPath(path: JSONPath): string {
	return path.map((segment, at) => (typeof segment === 'number' ? `[${segment}]` : at === 0 ? segment : `.${segment}`)).join('');
}

/** Position of a value; only the opening bracket of an object or array, so that a problem doesn't underline the whole file. */
export function getRange(node: Node): { offset: number; length: number } {
	return { offset: node.offset, length: node.type === 'object' || node.type === 'array' ? 1 : node.length };
}

/** Position of the property name for this value; of the value itself if it isn't in a property. */
export function getNameRange(value: Node): { offset: number; length: number } {
	const name = value.parent?.type === 'property' ? value.parent.children?.[0] : undefined;
	return name ? { offset: name.offset, length: name.length } : getRange(value);
}

/** Returns the value node of an object's property. */
export function findProperty(object: Node | undefined, name: string): Node | undefined {
	return object?.children?.find(property => property.children?.[0]?.value === name)?.children?.[1];
}

/** Returns the properties of an object; a value can be missing while the user types. */
export function listProperties(object: Node | undefined): { name: string; nameNode: Node; value: Node | undefined }[] {
	const properties = object?.type === 'object' ? (object.children ?? []) : [];
	return properties.flatMap(({ children }) =>
		children?.[0] ? [{ name: String(children[0].value), nameNode: children[0], value: children[1] }] : [],
	);
}

/** Describes the type of a value for messages. */
export function describeKind(node: Node, t: Translate): string {
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
