import { isAlias, isMap, isScalar, isSeq, type Node, parseAllDocuments, type YAMLMap } from 'yaml';
import { resolveScalar } from './resolvedScalars.ts';

/** Thrown if PyYAML couldn't parse the text. The message is from the `yaml` package. */
export class PyYamlError extends Error {}

/** Parses YAML like PyYAML's `yaml.safe_load`: YAML 1.1, one document. Whole floats are {@link PyFloat}; dates are `Date`. */
export function loadPyYaml(text: string): unknown {
	const documents = parseAllDocuments(text, { version: '1.1', schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' });
	if (!Array.isArray(documents) || documents.length === 0) {
		return null;
	}
	const [document, another] = documents;
	const error = document?.errors[0] ?? another?.errors[0];
	if (error || !document) {
		throw new PyYamlError(error?.message ?? 'no document');
	}
	if (another) {
		throw new PyYamlError('expected a single document in the stream');
	}
	const convertNode = (node: unknown): unknown => {
		if (isAlias(node)) {
			const target = node.resolve(document);
			if (!target) {
				throw new PyYamlError(`found undefined alias '${node.source}'`);
			}
			return convertNode(target);
		}
		if (isMap(node)) {
			return toPlainObject(node, convertNode);
		}
		if (isSeq(node)) {
			return node.items.map(convertNode);
		}
		return isScalar(node) ? resolveNode(node as Node & { value: unknown; type?: string; source?: string; tag?: string }) : null;
	};
	return convertNode(document.contents);
}

function resolveNode(node: { value: unknown; type?: string; source?: string; tag?: string }): unknown {
	const text = joinFoldedLines(String(node.value ?? ''), node.type);
	return node.type === 'PLAIN' && node.tag !== '!' && node.tag !== 'tag:yaml.org,2002:str' ? resolveScalar(text) : text;
}

/**
 * Appends the keys of merged mappings after the mapping's own keys. Keys that aren't strings become strings, as in JSON for the database.
 */
function toPlainObject(node: YAMLMap, value: (node: unknown) => unknown): Record<string, unknown> {
	const own: Record<string, unknown> = {};
	const merged: Record<string, unknown> = {};
	for (const { key, value: item } of node.items) {
		if (isScalar(key) && key.value === '<<' && key.type === 'PLAIN') {
			for (const each of [value(item)].flat()) {
				Object.assign(merged, each);
			}
		} else {
			own[formatMappingKey(value(key))] = value(item);
		}
	}
	return { ...merged, ...own };
}

function formatMappingKey(key: unknown): string {
	return typeof key === 'boolean' ? String(key) : key === null ? 'null' : String(key);
}

/** Joins lines at characters that break lines in YAML 1.1 but are text in YAML 1.2. The whitespace around them is indentation. */
function joinFoldedLines(text: string, type: string | undefined): string {
	return type === 'QUOTE_SINGLE' || type === 'PLAIN' ? text.replace(/ *([\u2028\u2029]) */g, '$1') : text;
}
