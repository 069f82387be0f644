import type { JSONPath, Node } from 'jsonc-parser';
import { cutText } from './cutText.ts';
import type { Translate } from './localization.ts';

/** Kind of problem. Determines the quick fixes. */
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

/** Thrown if a value of a run file can't be created, because a local file can't be read or a placeholder has no value. */
export class RunFileValueError extends Error {
	override readonly name = 'RunFileValueError';
}

/** Maximum length of a name in a path. Very many problems can be below one name. */
const longestSegment = 200;

/** Formats a JSON path for messages: `inputs.text`, `files[0].url`. Shortens long names. */
export function formatJsonPath(path: JSONPath): string {
	return path
		.map((segment, at) => (typeof segment === 'number' ? `[${segment}]` : `${at === 0 ? '' : '.'}${cutText(segment, longestSegment)}`))
		.join('');
}

/**
 * Returns the range of a value. For an object or array, that is only the opening bracket, so that a problem doesn't underline the whole
 * file.
 */
export function getValueRange(node: Node): { offset: number; length: number } {
	return { offset: node.offset, length: node.type === 'object' || node.type === 'array' ? 1 : node.length };
}

/** Returns the range of the property name for this value, or of the value itself if it isn't in a property. */
export function getNameRange(value: Node): { offset: number; length: number } {
	const name = value.parent?.type === 'property' ? value.parent.children?.[0] : undefined;
	return name ? { offset: name.offset, length: name.length } : getValueRange(value);
}

/** Returns the value node of an object's property. */
export function findProperty(object: Node | undefined, name: string): Node | undefined {
	return object?.children?.find(property => property.children?.[0]?.value === name)?.children?.[1];
}

/** Returns the properties of an object. A value can be missing while the user is typing. */
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
