import { type Document, isAlias, isMap, isScalar, isSeq, Pair, type Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { Translate } from '#base/text/localization.ts';
import { graphPath, isInnerStart } from '../agentGraph.ts';
import { createYamlDocument } from '../agentYaml.ts';
import type { AgentReading } from '../reading/agentReading.ts';
import { collectNodesWithInner } from './deleting.ts';
import { EditedFile } from './editedFile.ts';

/**
 * Returns nodes, their inner nodes and the edges between them as YAML that `paste` accepts in this or another file. Aliases and merges
 * are resolved.
 * @param text the text, or its reading
 * @throws {Refused} for an unknown ID, and for the start of a container without the container
 */
export function copyNodes(text: string | AgentReading, ids: readonly string[], t: Translate = fillPlaceholders): string {
	return copyFromFile(new EditedFile(text, t), ids);
}

/** Like {@link copyNodes}, for a file that was already read. */
export function copyFromFile(file: EditedFile, ids: readonly string[]): string {
	const all = collectNodesWithInner(file, ids);
	const copied = [...all].filter(id => {
		const node = file.nodes.get(id);
		return !node || !isInnerStart(node) || all.has(node.parent ?? '');
	});
	if (copied.length === 0) {
		file.throwRefused(file.t('Nothing to copy. The start of an iteration or loop can only be copied with its container.'));
	}
	const source = file.read.document as Document.Parsed;
	const whole = createYamlDocument();
	whole.contents = whole.createNode({ nodes: [], edges: [] }) as typeof whole.contents;
	const among = new Set(copied);
	for (const id of copied) {
		whole.addIn(['nodes'], resolveAliases(source.getIn([...graphPath, 'nodes', file.getNodeIndex(id)], true), source));
	}
	for (const { source: from, target, at } of file.graph.edges) {
		if (among.has(from) && among.has(target)) {
			whole.addIn(['edges'], resolveAliases(source.getIn([...graphPath, 'edges', at], true), source));
		}
	}
	try {
		return whole.toString({ lineWidth: 0 });
	} catch {
		// binary data and dates with a tag
		return file.throwRefused(file.t("This part of the file uses YAML syntax that can't be edited here. Change it in the text editor."));
	}
}

/** Copies a value as written, with aliases and merges resolved. */
function resolveAliases(node: unknown, document: Document.Parsed): unknown {
	if (isAlias(node)) {
		return resolveAliases(node.resolve(document), document);
	}
	if (isMap(node)) {
		const map = new YAMLMap();
		for (const { key, value } of node.items) {
			if (!isScalar(key) || typeof key.value !== 'symbol') {
				map.items.push(new Pair(resolveAliases(key, document), resolveAliases(value, document)) as never);
			}
		}
		for (const merged of node.items
			.filter(({ key }) => isScalar(key) && typeof key.value === 'symbol')
			.flatMap(({ value }) => listMergeSources(value, document))) {
			for (const { key, value } of merged.items) {
				if (!map.has(key)) {
					map.items.push(new Pair(key, value) as never);
				}
			}
		}
		return copyFormatting(map, node);
	}
	if (isSeq(node)) {
		const list = new YAMLSeq();
		list.items = node.items.map(item => resolveAliases(item, document));
		return copyFormatting(list, node);
	}
	if (isScalar(node)) {
		const scalar = node.clone() as Scalar;
		delete scalar.anchor;
		// parsing has already determined the type
		delete scalar.tag;
		return scalar;
	}
	return null;
}

function listMergeSources(node: unknown, document: Document.Parsed): readonly YAMLMap[] {
	const value = resolveAliases(node, document);
	return isMap(value) ? [value] : isSeq(value) ? value.items.filter(item => isMap(item)) : [];
}

function copyFormatting<Made extends YAMLMap | YAMLSeq>(made: Made, like: YAMLMap | YAMLSeq): Made {
	if (like.flow) {
		made.flow = true;
	}
	made.commentBefore = like.commentBefore ?? null;
	made.comment = like.comment ?? null;
	return made;
}
